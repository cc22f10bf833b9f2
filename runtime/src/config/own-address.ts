import { type Raw, valueAt, withoutValue } from './keys.ts'

/**
 * An address belongs to the provider it was configured for: a layer that chooses another provider does not inherit it.
 * Otherwise the key of one provider would be sent to the server of another.
 */
export function withOwnAddress<Layer extends { raw: Raw }>(layers: readonly Layer[]): Layer[] {
  const providerOf = (layer: Layer) => {
    const model = valueAt(layer.raw, 'agent.model')
    return typeof model === 'string' ? model.split('/')[0] : undefined
  }
  const provider = layers.map(providerOf).findLast((name) => name !== undefined)
  const isOther = (layer: Layer) => ![undefined, provider].includes(providerOf(layer))
  const other = layers.findLastIndex(isOther)
  const chosen = layers.findIndex((layer, at) => at > other && providerOf(layer) !== undefined)
  return layers.map((layer, at) =>
    other >= 0 && at < chosen ? { ...layer, raw: withoutValue(layer.raw, 'agent.baseURL') } : layer,
  )
}
