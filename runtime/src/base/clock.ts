/** Time and ids are arguments, so that a recorded run can be reproduced byte for byte. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
