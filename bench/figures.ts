/** Statistics of the samples. */
import type { Sample } from './measure.ts'

export const STEPS = [10, 50, 200] as const

export interface Figure {
  median: number
  /** Half the interquartile range: how much single runs differ. */
  spread: number
  /** Standard error of the median, assuming normal samples. */
  error: number
}

export interface Figures {
  /** Milliseconds per step, in the order of STEPS. */
  cpu: Figure[]
  wall: Figure[]
  /** CPU milliseconds per additional step, from the shortest to the longest run. */
  marginalCpu: number
  /** Runs per second, of runs started at once. */
  crowd: Figure
}

export function figureOf(values: readonly number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b)
  const spread = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 2
  return { median: quantile(sorted, 0.5), spread, error: (1.86 * spread) / Math.sqrt(sorted.length) }
}

export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)] ?? Number.NaN
  const high = sorted[Math.ceil(at)] ?? Number.NaN
  return low + (high - low) * (at - Math.floor(at))
}

export function summarise(samples: readonly Sample[], crowd: readonly number[]): Figures {
  const perStep = (steps: number, key: 'cpuMs' | 'wallMs') =>
    figureOf(samples.filter((sample) => sample.steps === steps).map((sample) => sample[key] / steps))
  const cpu = STEPS.map((steps) => perStep(steps, 'cpuMs'))
  const [shortest, longest] = [STEPS[0], STEPS[STEPS.length - 1] ?? STEPS[0]]
  const whole = (steps: number, figure: Figure | undefined) => steps * (figure?.median ?? Number.NaN)
  return {
    cpu,
    wall: STEPS.map((steps) => perStep(steps, 'wallMs')),
    marginalCpu: (whole(longest, cpu.at(-1)) - whole(shortest, cpu[0])) / (longest - shortest),
    crowd: figureOf(crowd),
  }
}
