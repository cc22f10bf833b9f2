/** The interface of a contender, and the tool they all use. */

export interface Contender {
  /** Runs until the model stops calling `lookup`; resolves to its final text. */
  run(task: string, steps: number): Promise<string>
  close?(): Promise<void>
}

/** Each file in `contenders/` exports one of these as `open`. `data` is an empty folder for it. */
export type Open = (server: { baseURL: string; data: string }) => Promise<Contender>

export const MODEL = 'stub'
export const INSTRUCTIONS = 'Call the lookup tool as often as the task says, then answer.'
export const LAST_WORDS = 'All entries were looked up.'

export const LOOKUP = {
  name: 'lookup',
  description: 'Returns one entry of the stock list.',
  schema: {
    type: 'object',
    properties: { n: { type: 'integer', description: 'The entry to read.' } },
    required: ['n'],
    additionalProperties: false,
  },
} as const

export function taskOf(steps: number): string {
  return `Take exactly ${steps} steps.`
}

let calls = 0

export function lookup(n: number): string {
  calls++
  return `Entry ${n}: the store on the north side holds forty crates of apples, last counted on Monday.`.padEnd(
    100,
    '.',
  )
}

/** The number of calls since the last check: a contender that skips the tool would look fast. */
export function takeCalls(): number {
  const made = calls
  calls = 0
  return made
}
