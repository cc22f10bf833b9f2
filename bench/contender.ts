/** What every contender offers, and the one tool all of them are given. */

export interface Contender {
  /** Follows the model until it stops calling `lookup`; resolves to the model's last words. */
  run(task: string, steps: number): Promise<string>
  close?(): Promise<void>
}

/** Each file in `contenders/` exports one of these as `open`. `data` is an empty folder of its own. */
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

/** A contender that skips the tool would look fast: how many calls were made since the last look. */
export function takeCalls(): number {
  const made = calls
  calls = 0
  return made
}
