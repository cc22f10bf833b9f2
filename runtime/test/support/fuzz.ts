/** `npm run fuzz` tries far more cases than `npm test` has time for. */
export function fuzzCases(quick: number): number {
  return Number(process.env.WRIT_FUZZ_CASES ?? (process.env.npm_lifecycle_event === 'fuzz' ? 20_000 : quick))
}

export const FUZZ_SEED = Number(process.env.WRIT_FUZZ_SEED ?? 20261116)
