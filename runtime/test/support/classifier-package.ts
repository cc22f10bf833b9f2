/**
 * Stands for `@huggingface/transformers`, which is too large for this repository (`npm run trial:classifier` tests with
 * the real one): the parts of its interface that Writ uses, on the files of a tiny model. Some words make it misbehave.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Below the folder, where Writ looks for the package. */
export function installClassifierPackage(folder: string): void {
  const at = join(folder, 'node_modules/@huggingface/transformers')
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, 'package.json'), '{"name":"@huggingface/transformers","version":"0.0.0","main":"index.cjs"}')
  writeFileSync(join(at, 'index.cjs'), SOURCE)
}

const SOURCE = `
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const env = {}
async function pipeline(task, name, options) {
  if (env.allowRemoteModels !== false || options.local_files_only !== true) throw new Error('the network is open')
  const folder = join(env.localModelPath, name)
  const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  if (readFileSync(join(folder, 'onnx/model.onnx'))[0] !== 8) throw new Error('Load model failed: protobuf parsing')
  const labels = Object.values(read('config.json').id2label)
  const vocabulary = Object.keys(read('tokenizer.json').model.vocab).filter((word) => !word.startsWith('['))
  const tokens = (text) => text.toLowerCase().match(/\\p{Script=Han}|[^\\s\\p{Script=Han}]+/gu) ?? []
  const pipe = async (text) => {
    if (text.includes('please-hang')) await new Promise(() => {})
    if (text.includes('please-block')) for (;;);
    if (text.includes('please-throw')) throw new Error('inference failed')
    if (text.includes('please-exit')) process.exit(3)
    if (text.includes('please-fetch')) await fetch('http://127.0.0.1:9/')
    if (vocabulary.includes('wrong-labels')) return [{ label: 'other', score: 1 }]
    const most = read('tokenizer_config.json').model_max_length
    const isBad = tokens(text).slice(0, most - 2).some((token) => vocabulary.includes(token))
    return labels.map((label, i) => ({ label, score: (i === 1) === isBad ? 0.99 : 0.01 / (labels.length - 1) }))
  }
  pipe.tokenizer = { encode: (text) => [0, ...tokens(text), 0] }
  return pipe
}
module.exports = { env, pipeline }
`
