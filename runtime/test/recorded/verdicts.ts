/** The verdicts of today's gate on the material, as lines that a difference shows well. */
import type { Place } from '../support/cli.ts'
import { CALLS, TASKS, TEXTS, TOOLS } from './material.ts'

interface Judged {
  id: string
  calls: { decision: string; reason: string | null; message: string | null }[]
  results: { verdict: string; findings: { rule: string; at: number; weight: number }[] }[]
}

export async function judgeMaterial(place: Place): Promise<string> {
  const config = place.file('full.json', { agent: { security: { autonomy: 'Full' } } })
  const lines = TASKS.flatMap((task, i) =>
    TEXTS.map((result, k) => ({
      id: `task ${i + 1}, text ${k + 1}`,
      task,
      tools: TOOLS,
      steps: [{ tool: 'read_text', args: { name: 'D-31' }, result }, ...CALLS],
    })),
  )
  const stdin = lines.map((line) => JSON.stringify(line)).join('\n')
  const { code, stdout, stderr } = await place.writ(['gate', '--jsonl', '--config', config, '--lang', 'en'], { stdin })
  if (code !== 0) throw new Error(stderr)
  const judged = stdout
    .trimEnd()
    .split('\n')
    .map((line): Judged => JSON.parse(line))
  return judged.map(lineOf).join('')
}

function lineOf({ id, calls, results: [read] }: Judged): string {
  const findings = (read?.findings ?? []).map(({ rule, at, weight }) => `${rule}@${at}=${weight}`)
  const verdicts = calls.slice(1).map(({ decision, reason, message }) => {
    const rule = /\[rule: ([^\]]+)\]/.exec(message ?? '')?.[1] ?? reason
    return rule === null ? decision : `${decision}:${rule}`
  })
  return `${id} | ${[read?.verdict, ...findings].join(' ')} | ${verdicts.join(' ')}\n`
}
