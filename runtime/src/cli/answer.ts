/** The answers beyond y, n and a: remember a rule, edit the call, say why not. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isObject } from '../base/json.ts'
import { offerWords } from '../i18n/offer-words.ts'
import { editableOf, editedArgs } from '../protocol/editable.ts'
import { type Question, REASON_MAX, type Reply, type RuleScope } from '../protocol/verdict.ts'
import { oneLine, visible } from '../protocol/visible-text.ts'
import type { Io } from './io.ts'
import { questionTexts } from './question-texts.ts'

export interface Prompter {
  /** Clears the progress line. */
  before(): void
  /** The typed line; empty when there was none. `prefill` is in the line already and can be changed. */
  read(prompt: string, signal: AbortSignal, prefill?: string): Promise<string>
  /** Runs a program that needs the terminal for itself. */
  lend<T>(work: () => Promise<T>): Promise<T>
}

export interface Desk {
  io: Io
  prompter: Prompter
  signal: AbortSignal
}

/** Undefined: the person did not choose; the question is asked again. */
export type Extra = Pick<Reply, 'remember' | 'edit'> | undefined

const SCOPES: Readonly<Record<string, RuleScope>> = { s: 'session', w: 'workspace', a: 'always' }

export async function chooseRule({ offers = [] }: Question, { io, prompter, signal }: Desk): Promise<Extra> {
  const texts = questionTexts(io.lang)
  const lines = offers.map((offer, at) => `  ${at + 1}  ${oneLine(offerWords(offer, io.lang))}`)
  io.stderr(`${[texts.rules, ...lines].join('\n')}\n`)
  const number = (await prompter.read(`${texts.whichRule({ count: offers.length })} `, signal)).trim()
  const offer = /^\d{1,2}$/.test(number) ? Number(number) - 1 : -1
  if (offers[offer] === undefined) return undefined
  const where = (await prompter.read(`${texts.whichScope} `, signal)).trim().toLowerCase()
  const scope = Object.hasOwn(SCOPES, where) ? SCOPES[where] : undefined
  return scope && { remember: { offer, scope } }
}

export async function editCall(question: Question, desk: Desk): Promise<Extra> {
  const { io, prompter, signal } = desk
  const texts = questionTexts(io.lang)
  const editable = editableOf(question)
  if (editable === undefined) return undefined
  const { text } = editable
  const editor = io.env.VISUAL || io.env.EDITOR
  let changed: string | undefined
  if (editor) changed = await prompter.lend(() => inEditor(editor, text, nameFor(question)))
  // In a typed line, a control character of the model's would act as a key.
  else if (!text.includes('\n') && visible(text) === text)
    changed = (await prompter.read(`${texts.newText} `, signal, text)) || undefined
  else io.stderr(`  ${texts.setEditor}\n`)
  if (changed === undefined || changed === text || signal.aborted) {
    io.stderr(`  ${texts.unchanged}\n`)
    return undefined
  }
  const edit = editedArgs(question, { ...editable, text: changed })
  if (edit === undefined) io.stderr(`  ${texts.notJson}\n`)
  return edit && { edit }
}

/** The name of the file it writes, so that the editor knows its language. */
function nameFor({ args }: Question): string {
  if (isObject(args) && typeof args.command === 'string') return 'command.sh'
  if (!isObject(args) || typeof args.content !== 'string') return 'arguments.json'
  return (typeof args.path === 'string' && basename(args.path).replace(/[^\w.-]/g, '_')) || 'text'
}

async function inEditor(editor: string, text: string, name: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'writ-edit-'))
  const file = join(folder, name)
  try {
    // Editors end a file with a newline; one that the text did not have is removed again.
    await writeFile(file, text.endsWith('\n') ? text : `${text}\n`, { mode: 0o600 })
    const { promise, resolve } = Promise.withResolvers<boolean>()
    // As git does it: the variable may contain options.
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' })
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
    if (!(await promise)) return undefined
    const changed = await readFile(file, 'utf8')
    return text.endsWith('\n') ? changed : changed.replace(/\n$/, '')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** `n because it is wrong`: the words after the n. */
export function reasonIn(line: string): string | undefined {
  const reason = /^\s*(?:n|no)[\s:,，：]+(\S.*)$/is.exec(line)?.[1]?.trim()
  return reason?.slice(0, REASON_MAX)
}
