/** Puts the question of an MCP server to the person at the terminal. */
import { styleText } from 'node:util'
import type { ElicitedAnswer, ElicitedForm, FormField } from '../protocol/elicited.ts'
import { oneLine, visible } from '../protocol/visible-text.ts'
import type { QuestionDeps } from './answer.ts'
import { questionTexts } from './question-texts.ts'

type Value = NonNullable<ElicitedAnswer['content']>[string]

/** Nothing is answered without a yes; an empty line leaves a field out, or takes its default. */
export async function answerForm(form: ElicitedForm, desk: QuestionDeps): Promise<ElicitedAnswer> {
  const { io, prompter, signal } = desk
  const texts = questionTexts(io.lang)
  prompter.before()
  const title = texts.serverAsks({ server: oneLine(form.server) })
  const said = visible(form.message).split('\n')
  io.stderr(
    `\n${[styleText(['bold', 'yellow'], `? ${title}`, { stream: process.stderr }), ...said.map((line) => `  │ ${line}`), `  ${texts.serverUnchecked}`, ''].join('\n')}`,
  )
  if (!isYes(await prompter.read(`${texts.answerServer} `, signal))) return { action: 'decline' }
  const content: Record<string, Value> = {}
  for (const [name, field] of Object.entries(form.fields)) {
    const value = await valueFor(name, field, desk)
    if (value !== undefined) content[name] = value
    else if (form.required.includes(name)) return { action: 'cancel' }
  }
  return signal.aborted ? { action: 'cancel' } : { action: 'accept', content }
}

/** Asked again while the answer does not fit; undefined: left out. */
async function valueFor(
  name: string,
  field: FormField,
  { io, prompter, signal }: QuestionDeps,
): Promise<Value | undefined> {
  const texts = questionTexts(io.lang)
  const options = optionsOf(field)
  const about = [field.title ?? name, field.description].filter((text) => text !== undefined && text !== '')
  const prompt = [oneLine(about.join(': ')), ...(options.length > 0 ? [`(${oneLine(options.join(', '))})`] : [])].join(
    ' ',
  )
  for (;;) {
    const line = (await prompter.read(`  ${prompt}: `, signal)).trim()
    if (line === '') return field.default as Value | undefined
    const value = parsed(line, field, options)
    if (value !== undefined) return value
    io.stderr(`  ${texts.doesNotFit}\n`)
  }
}

function optionsOf({ enum: plain, oneOf, items }: FormField): readonly string[] {
  const titled = oneOf ?? items?.anyOf
  return plain ?? items?.enum ?? titled?.map((option) => option.const) ?? []
}

function parsed(line: string, { type }: FormField, options: readonly string[]): Value | undefined {
  const fits = (text: string) => options.length === 0 || options.includes(text)
  switch (type) {
    case 'boolean':
      return isYes(line) ? true : /^\s*(?:n|no|false)\s*$/i.test(line) ? false : undefined
    case 'integer':
    case 'number': {
      const value = Number(line)
      return Number.isFinite(value) && (type === 'number' || Number.isInteger(value)) ? value : undefined
    }
    case 'array': {
      const parts = line.split(',').map((part) => part.trim())
      return parts.every(fits) ? parts : undefined
    }
    default:
      return fits(line) ? line : undefined
  }
}

function isYes(line: string): boolean {
  return /^\s*(?:y|yes|true)\s*$/i.test(line)
}
