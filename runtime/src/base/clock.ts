/** Time and identity arrive as arguments, so that a recorded run can be made again to the byte. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
