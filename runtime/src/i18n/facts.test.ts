import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { CorruptEvent } from '../journal/store.ts'
import { breachOfRun, firstBreach } from '../journal/verify.ts'
import { chooseModel } from '../model/choose.ts'
import { compatibleModel } from '../model/compatible.ts'
import { parseScript, scriptedModel } from '../model/scripted.ts'
import type { StoredEvent } from '../protocol/event.ts'
import { explain as explainPostgres } from '../storage/postgres.ts'
import { explain as explainSqlite } from '../storage/sqlite.ts'
import { FACTS, factText } from './facts.ts'
import { messages } from './locale.ts'

async function failureOf(work: () => unknown): Promise<{ code?: string; message: string; hint?: string | undefined }> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('nothing went wrong')
}

const none = async () => undefined
const script = (value: unknown) => () => parseScript(JSON.stringify(value))
const sqlite = (about: object) => () => {
  throw explainSqlite(Object.assign(new Error('database says no'), about), '/data/journal.db')
}
const postgres = (code: string) => () => {
  throw explainPostgres(Object.assign(new Error('server says no'), { code }), { shown: 'db/writ', secrets: [] })
}
const ofSqlite = (errcode: number) => sqlite({ code: 'ERR_SQLITE_ERROR', errcode })

const FAILURES: [what: string, work: () => unknown][] = [
  ['a missing key', () => chooseModel('openai/gpt-x', {}, none)],
  ['one of two keys missing', () => chooseModel('google/gemini-x', {}, none)],
  ['an unknown model', () => chooseModel('opnai/gpt-x', {}, none)],
  ['a model that is like nothing', () => chooseModel('zzzzzzzzzz', {}, none)],
  ['no address', () => compatibleModel({ provider: 'compatible', name: 'x', maxOutputTokens: 1 }, fetch)],
  ['a script that is no JSON', () => parseScript('{')],
  ['a script that is no list', script({})],
  ['an entry that is no object', script([1])],
  ['an unknown key', script([{ purpose: 'main', txet: '' }])],
  ['an unknown purpose', script([{ purpose: 'other' }])],
  ['a text that is none', script([{ purpose: 'main', text: null }])],
  ['calls that are none', script([{ purpose: 'main', calls: 'x' }])],
  ['no whole number', script([{ purpose: 'main', times: 0.5 }])],
  ['a missing purpose', script([{}])],
  ['raw beside text', script([{ purpose: 'main', raw: '', text: '' }])],
  [
    'an exhausted script',
    () =>
      scriptedModel([])
        .ask({ purpose: 'main', system: '', messages: [], stream: false }, new AbortController().signal)
        .next(),
  ],
  ['a broken row', () => Promise.reject(new CorruptEvent('run_1', 3, undefined))],
  ...[5, 8, 10, 11, 13, 14, 19, 1].map((n): [string, () => unknown] => [`SQLite’s error ${n}`, ofSqlite(n)]),
  ['a folder that may not be written', sqlite({ code: 'EACCES', syscall: 'mkdir' })],
  ...['23505', '42501', '53100', '57014', '40001', 'XX001', '42P01', '08006'].map((code): [string, () => unknown] => [
    `PostgreSQL’s error ${code}`,
    postgres(code),
  ]),
]

describe('what is said where no reader is known is said in Chinese to a Chinese reader', () => {
  test.each(FAILURES)('%s', async (_, work) => {
    const { message, hint } = await failureOf(work)
    expect(factText(message, 'en')).toBe(message)
    expect(factText(message, 'zh')).toMatch(/\p{Script=Han}/u)
    if (hint !== undefined) expect(messages('zh').cli.hint({ text: hint })).toMatch(/^提示：.*\p{Script=Han}/u)
  })

  test('what stands in the fact is kept', async () => {
    const { message } = await failureOf(ofSqlite(11))
    expect(factText(message, 'zh')).toBe('存储已损坏，或不是 Writ 的存储：/data/journal.db (database says no)')
  })

  test('breaches of the journal', () => {
    const row = { v: 1, runId: 'run_1', seq: 2, hash: 'x' } as unknown as StoredEvent
    const seal = { lastSeq: 7, lastHash: 'h' }
    const gone = { check: undefined, buried: false }
    const said = [firstBreach([row])?.why, firstBreach([{ ...row, seq: 1 }])?.why, breachOfRun(seal, gone)]
    for (const why of said) expect(factText(why ?? '', 'zh')).toMatch(/^\p{Script=Han}/u)
  })

  test('a fact nobody knows stays as it is', () => {
    expect(factText('something else', 'zh')).toBe('something else')
    expect(factText('constructor', 'zh')).toBe('constructor')
  })
})

test('no fact is kept that nobody says any more', () => {
  const source = fileURLToPath(new URL('..', import.meta.url))
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  const said = files
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !file.startsWith('i18n'))
    .map((file) => readFileSync(join(source, file), 'utf8'))
    .join('\n')
  expect(Object.keys(FACTS).filter((fact) => !said.includes(fact))).toEqual([])
})

test('a run that ends because its model failed says why in its language', () => {
  const message = 'the script has no entry left for purpose "main", after an empty reply'
  expect(messages('zh').stop.providerError({ model: 'scripted', message })).toContain('脚本中已没有')
})
