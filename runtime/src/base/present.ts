type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** Drops undefined values, so that they are absent in JSON and in the journal. */
export function present<T extends object>(values: T): Present<T> {
  const copy: Record<string, unknown> = {}
  // Most callers name their keys, and there are few.
  for (const key of Object.keys(values)) {
    const value = (values as Record<string, unknown>)[key]
    if (value !== undefined) copy[key] = value
  }
  return copy as Present<T>
}
