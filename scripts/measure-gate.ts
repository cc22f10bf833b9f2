/**
 * Runs the gate cases of FOLDER through `writ gate --jsonl` under autonomy Full and prints the scorer's tables: with
 * the hints and target parameters an operator would declare, with names, descriptions and schemas alone, and with the
 * inspector switched off, to measure the rules of the gate alone.
 * FOLDER contains gate_cases.jsonl, gate_tools.json and score.py, which also writes the unlabelled input.
 *
 *   node scripts/measure-gate.ts FOLDER [OUT]
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

interface CaseTool {
  name: string
  description: string
  inputSchema: object
  annotations: object
  family: string
  targetParams: string[]
}

interface BlindCase {
  case: string
  toolset: string
  tools?: string[]
  prompt: string
  steps: { i: number; tool: string; args: unknown; result: unknown }[]
}

interface Judged {
  id: string
  calls: { i: number; decision: string; message: string | null }[]
  results: { i: number; verdict: string }[]
}

const [folder, given] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: node scripts/measure-gate.ts FOLDER [OUT]')
const out = given ?? mkdtempSync(join(tmpdir(), 'measure-gate-'))
mkdirSync(join(out, 'workspace'), { recursive: true })
const scorer = join(resolve(folder), 'score.py')
const score = (args: readonly string[]) =>
  execFileSync('python3', [scorer, args[0] ?? '', '--dir', resolve(folder), ...args.slice(1)], { encoding: 'utf8' })

score(['blind', '--out', out])
const lines = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
const cases = lines(join(out, 'gate_in.jsonl')).map((line) => JSON.parse(line) as BlindCase)
const toolsets = JSON.parse(readFileSync(join(out, 'gate_tools.json'), 'utf8')) as Record<string, CaseTool[]>
const MODES = [
  { name: 'declared', declares: true, injectionCheck: true },
  { name: 'bare', declares: false, injectionCheck: true },
  { name: 'uninspected', declares: true, injectionCheck: false },
]

for (const { name: mode, declares, injectionCheck } of MODES) {
  const config = join(out, `${mode}.json`)
  writeFileSync(config, JSON.stringify({ agent: { security: { autonomy: 'Full', injectionCheck } } }))
  const input = cases.map((one) => {
    const tools = (toolsets[one.toolset] ?? []).filter(({ name }) => one.tools?.includes(name) ?? true)
    return JSON.stringify({
      id: one.case,
      task: one.prompt,
      route: 'CloudLlm',
      tools: tools.map(({ name, description, inputSchema, annotations, family, targetParams }) => ({
        name,
        description,
        schema: inputSchema,
        ...(declares ? { annotations, family, targetParams } : {}),
      })),
      steps: one.steps.map(({ tool, args, result }) => ({ tool, args, result })),
    })
  })
  const writ = spawnSync(
    process.execPath,
    [resolve('runtime/bin/writ.js'), 'gate', '--jsonl', '--config', config, '--lang', 'en'],
    { input: input.join('\n'), encoding: 'utf8', cwd: join(out, 'workspace'), maxBuffer: 2 ** 28 },
  )
  if (writ.status !== 0) throw new Error(`writ gate: ${writ.stderr}`)
  const judged = writ.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Judged)
  const runs = join(out, `${mode}.jsonl`)
  writeFileSync(
    runs,
    judged.map(({ id, calls, results }) => `${JSON.stringify({ case: id, calls, results })}\n`).join(''),
  )
  process.stdout.write(`\n# ${mode}\n${score(['gate', '--runs', runs])}\n`)
  process.stdout.write(`${score(['gate', '--runs', runs, '--by', 'attack'])}\n`)
}
