const HUNDREDS = 9
const SAMPLES = 3

/**
 * How much dearer the last calls of a thousand are than the first, in processor time. The least of three hundreds is
 * compared: other work on the machine can only add.
 */
export async function growthOverAThousand(call: (n: number) => Promise<void>): Promise<number> {
  const costs: number[] = []
  for (let hundred = 0; hundred <= HUNDREDS; hundred++) {
    const start = process.cpuUsage()
    for (let n = 0; n < 100; n++) await call(hundred * 100 + n)
    const { user, system } = process.cpuUsage(start)
    // The first hundred compiles the code.
    if (hundred > 0) costs.push(user + system)
  }
  return Math.min(...costs.slice(-SAMPLES)) / Math.min(...costs.slice(0, SAMPLES))
}
