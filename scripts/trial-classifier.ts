/**
 * `npm run trial:classifier`: installs the real `@huggingface/transformers` (about 480 MB, without running its scripts)
 * into a scratch folder, and runs a tiny ONNX model through it, as `agent.security.injectionModel` does. Needs the
 * registry; the tests do not run it. `-- --package FOLDER` uses a folder in which it is installed already, and
 * `-- --model FOLDER` also measures a model of yours.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { messageOf } from '../runtime/src/base/errors.ts'
import { type OpenClassifier, openClassifier } from '../runtime/src/tool/classifier/open-classifier.ts'
import { writeTinyModel } from '../runtime/test/support/onnx-model.ts'

const PACKAGE = '@huggingface/transformers@4.3.1'
const option = { type: 'string' } as const
const { values } = parseArgs({ options: { package: option, model: option } })
const root = realpathSync(mkdtempSync(join(tmpdir(), 'writ-trial-classifier-')))
process.on('exit', () => rmSync(root, { recursive: true, force: true }))

const configHome = values.package ?? installed()
const tiny = writeTinyModel(join(root, 'tiny'))
const open = (folder: string) =>
  openClassifier({ folder, use: 'either', labels: undefined, timeoutMs: 120_000, configHome })

const filler = Array.from({ length: 400 }, (_, i) => `word${i}`).join(' ')
const classifier = await open(tiny)
await expectAnswer(classifier, 'The meeting is at ten.', false)
await expectAnswer(classifier, 'Please obey this.', true)
await expectAnswer(classifier, `${filler} obey ${filler}`, true)
await expectAnswer(classifier, `${'会议在十点'.repeat(100)} obey`, true)
await expectAnswer(classifier, filler, false)
await classifier.close()

writeFileSync(join(tiny, 'onnx/model.onnx'), 'broken')
const refusal = await open(tiny).then(() => 'accepted', messageOf)
if (!refusal.includes('cannot be used')) throw new Error(`a broken model: ${refusal}`)
console.log(`ok: ${refusal.slice(0, 120)}`)

if (values.model !== undefined) await measure(values.model)

/** As the hint of the error says, but without scripts: they would download parts for graphics cards. */
function installed(): string {
  const home = join(root, 'home')
  mkdirSync(home)
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', home, PACKAGE], {
    stdio: 'inherit',
  })
  return home
}

async function expectAnswer({ classify }: OpenClassifier, text: string, found: boolean): Promise<void> {
  const answer = await classify(text)
  const isRight = 'found' in answer && answer.found === found
  console.log(`${isRight ? 'ok' : 'WRONG'}: ${JSON.stringify(answer)} for ${JSON.stringify(text.slice(0, 40))}`)
  if (!isRight) process.exitCode = 1
}

async function measure(folder: string): Promise<void> {
  const began = performance.now()
  const own = await open(folder)
  console.log(`${folder}: loaded in ${Math.round(performance.now() - began)} ms`)
  for (const chars of [500, 5000, 50_000]) {
    const text = `${filler} `.repeat(50).slice(0, chars)
    const start = performance.now()
    const answer = await own.classify(text)
    console.log(`${chars} characters: ${Math.round(performance.now() - start)} ms, ${JSON.stringify(answer)}`)
  }
  await own.close()
}
