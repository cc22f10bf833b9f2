/** Runs one contender in its own process: warms up, then reports the CPU and wall time of each run. */
import { messageOf } from '../runtime/src/base/errors.ts'
import { LAST_WORDS, type Open, takeCalls, taskOf } from './contender.ts'
import { listRefused } from './loopback-only.ts'

/** Short and long runs alternate, so that all are measured on equally warm code. */
export interface Plan {
  cycle: readonly { steps: number; runs: number }[]
  warmUp: number
  measured: number
  /** Runs started at once, and how often. */
  crowd: { runs: number; steps: number; times: number }
}

export interface Order {
  name: string
  baseURL: string
  data: string
  plan: Plan
}

export interface Sample {
  steps: number
  cpuMs: number
  wallMs: number
}

/** `crowd`: finished runs per second, of runs that were started at once. */
export type Answer = { samples: Sample[]; crowd: number[]; refused: string[] } | { error: string }

async function measure(order: Order): Promise<Answer> {
  const { open } = (await import(`./contenders/${order.name}.ts`)) as { open: Open }
  const contender = await open({ baseURL: order.baseURL, data: order.data })

  async function runOnce(steps: number): Promise<Sample> {
    takeCalls()
    const startCpu = process.cpuUsage()
    const start = performance.now()
    const reply = await contender.run(taskOf(steps), steps)
    const wallMs = performance.now() - start
    const cpu = process.cpuUsage(startCpu)
    const calls = takeCalls()
    if (calls !== steps) throw new Error(`${calls} tool calls instead of ${steps}; the reply was: ${reply}`)
    if (!reply.includes(LAST_WORDS)) throw new Error(`unexpected reply: ${reply}`)
    return { steps, cpuMs: (cpu.user + cpu.system) / 1000, wallMs }
  }

  async function runCrowd(): Promise<number> {
    const { runs, steps } = order.plan.crowd
    takeCalls()
    const start = performance.now()
    const replies = await Promise.all(Array.from({ length: runs }, () => contender.run(taskOf(steps), steps)))
    const seconds = (performance.now() - start) / 1000
    const calls = takeCalls()
    if (calls !== runs * steps) throw new Error(`${calls} tool calls instead of ${runs * steps} in ${runs} runs`)
    for (const reply of replies) if (!reply.includes(LAST_WORDS)) throw new Error(`unexpected reply: ${reply}`)
    return runs / seconds
  }

  async function runCycle(): Promise<Sample[]> {
    const samples: Sample[] = []
    for (const { steps, runs } of order.plan.cycle) for (let i = 0; i < runs; i++) samples.push(await runOnce(steps))
    return samples
  }

  for (let i = 0; i < order.plan.warmUp; i++) await runCycle()
  const samples: Sample[] = []
  for (let i = 0; i < order.plan.measured; i++) samples.push(...(await runCycle()))
  // The first opens the connections.
  await runCrowd()
  const crowd: number[] = []
  for (let i = 0; i < order.plan.crowd.times; i++) crowd.push(await runCrowd())
  await contender.close?.()
  return { samples, crowd, refused: listRefused() }
}

process.on('message', async (order: Order) => {
  const answer: Answer = await measure(order).catch((error: unknown) => ({ error: messageOf(error) }))
  process.send?.(answer, undefined, undefined, () => process.exit())
})
