/** Turns a request into an ordered list of tool calls. Pure: equal requests give equal plans. */
import { isJson } from '../base/json.ts'
import type { Lang } from '../i18n/locale.ts'
import { COMPARED_JOIN, PLACE_AFTER, PLACE_BEFORE } from '../language/comparison.ts'
import { QUOTED_OR_URL } from '../language/quotes.ts'
import { NOTHING_ASKED, REQUEST_FILLER } from '../language/requests.ts'
import { REQUEST_BREAK } from '../language/sentences.ts'
import {
  BARE_NAMES,
  COMMAND_HEAD,
  HERE,
  MASK,
  ONESELF,
  PHRASES,
  type Phrase,
  REPLIES,
  type Want,
} from './rules-phrases.ts'

const LONGEST_REQUEST = 4000
const MOST_SCOUTS = 5

export interface Step {
  want: Want | 'transform' | 'read-doc' | 'report'
  tool: string
  args: Record<string, unknown>
  /** The subject, for the answer. */
  about: string
}

export interface Plan {
  steps: Step[]
  notUnderstood: string[]
  help: boolean
}

interface Match {
  phrase: Phrase
  groups: Record<string, string | undefined>
}

export function languageOf(text: string): Lang {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en'
}

/** The available tools by name; of two alternatives the available one is used. */
export interface Hands {
  offered: ReadonlySet<string>
  /** The tool that starts scouts; its name is configurable. */
  dispatch: string
}

export function planFor(request: string, hands: Hands): Plan {
  const text = request.trim()
  const transform = transformStep(text)
  if (transform) return { steps: [transform], notUnderstood: [], help: false }
  const masked = mask(text)
  const clauses = clausesOf(masked.text)
  const last = clauses.findIndex((clause) => COMMAND_HEAD.test(clause.text))
  const clause = clauses[last]
  if (!clause) return planClauses(clauses, masked, hands)
  const plan = planClauses(clauses.slice(0, last), masked, hands)
  const words = masked.original(masked.text.slice(clause.start))
  const command = words.replace(COMMAND_HEAD, '').trim()
  if (command === '') return { ...plan, notUnderstood: [...plan.notUnderstood, words.trim()] }
  return { ...plan, steps: [...plan.steps, commandStep(command.replace(/^`([^`]*)`$/, '$1'))] }
}

function planClauses(clauses: readonly Clause[], masked: Masked, hands: Hands): Plan {
  const plan: Plan = { steps: [], notUnderstood: [], help: false }
  const end = clauses.at(-1)?.end ?? 0
  // Phrases are tried at every position of a clause, which takes minutes for very long texts. Quoted text does not
  // count.
  if (end > LONGEST_REQUEST) return { ...plan, notUnderstood: [masked.original(masked.text.slice(0, end))] }
  for (let i = 0; i < clauses.length; i++) {
    const clause = clauses[i]
    if (!clause) continue
    let match = matchOf(clause.text)
    if (!match) {
      if (!NOTHING_ASKED.test(clause.text)) plan.notUnderstood.push(masked.restore(clause.text))
      continue
    }
    if (match.phrase.open) {
      let end = clause.end
      for (let next = clauses[i + 1]; next && !matchOf(next.text); next = clauses[i + 1]) {
        end = next.end
        i++
      }
      match = matchOf(masked.text.slice(clause.start, end)) ?? match
    }
    if (match.phrase.want === 'help') plan.help = true
    else plan.steps.push(...stepsFor(match, { masked, hands }))
  }
  return plan
}

interface Masked {
  text: string
  lang: Lang
  /** The masked text, without quotation marks. */
  restore(part: string): string
  /** The original words. */
  original(part: string): string
}

function mask(text: string): Masked {
  const kept: string[] = []
  const masked = text.replace(QUOTED_OR_URL, (quoted) => {
    const typed = quoted.startsWith('http') ? quoted.replace(/[.,;!?)]+$/, '') : quoted
    kept.push(typed)
    return `${MASK.open}${kept.length - 1}${MASK.close}${quoted.slice(typed.length)}`
  })
  const original = (part: string) => part.replace(/\ue000(\d+)\ue001/g, (_, n) => kept[Number(n)] ?? '')
  const restore = (part: string) => part.replace(/\ue000(\d+)\ue001/g, (_, n) => unquote(kept[Number(n)] ?? ''))
  return { text: masked, lang: languageOf(text), restore, original }
}

function unquote(typed: string): string {
  return typed.startsWith('http') || typed.length < 2 ? typed : typed.slice(1, -1)
}

interface Clause {
  text: string
  start: number
  end: number
}

function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = []
  let from = 0
  const add = (to: number) => {
    const raw = text.slice(from, to)
    const body = raw.trim().replace(REQUEST_FILLER, '')
    const start = from + raw.lastIndexOf(body)
    if (body !== '') clauses.push({ text: body, start, end: start + body.length })
  }
  for (const found of text.matchAll(REQUEST_BREAK)) {
    add(found.index)
    from = found.index + found[0].length
  }
  add(text.length)
  return clauses
}

function matchOf(clause: string): Match | undefined {
  for (const phrase of PHRASES) {
    const groups = phrase.pattern.exec(clause)
    if (groups) return { phrase, groups: groups.groups ?? {} }
  }
  return undefined
}

function commitsAsked({ count, single, single2 = single }: Match['groups']): string {
  return count ?? (single2 === undefined ? '10' : '1')
}

function stepsFor({ phrase, groups }: Match, { masked, hands }: { masked: Masked; hands: Hands }): Step[] {
  const { restore, lang } = masked
  const { offered } = hands
  const { want } = phrase
  const content = restore((groups.content ?? '').trim())
  const path = restore(groups.path ?? groups.path2 ?? '')
  switch (want) {
    case 'status':
      return [{ want, tool: 'git', args: { args: ['status'] }, about: 'status' }]
    case 'log':
      return [{ want, tool: 'git', args: { args: ['log', '--oneline', '-n', commitsAsked(groups)] }, about: 'log' }]
    case 'diff':
      return [{ want, tool: 'git', args: { args: ['diff'] }, about: 'diff' }]
    case 'first-line':
    case 'last-line':
    case 'line-count':
    case 'read':
      if (path.endsWith('/')) return [{ want: 'list', tool: 'file_list', args: { path }, about: path }]
      return [{ want, tool: 'file_read', args: { path: nameOf(path) }, about: nameOf(path) }]
    case 'list': {
      const folder = path === '' || HERE.test(path) ? '.' : path
      return [{ want, tool: 'file_list', args: { path: folder }, about: folder }]
    }
    case 'search': {
      const where = path === '' ? {} : { path }
      return [{ want, tool: 'file_search', args: { pattern: escapePattern(content), ...where }, about: content }]
    }
    case 'search-docs':
      if (offered.has('search_docs')) return [{ want, tool: 'search_docs', args: { query: content }, about: content }]
      return [{ want: 'search', tool: 'file_search', args: { pattern: escapePattern(content) }, about: content }]
    case 'fetch': {
      const url = restore(groups.url ?? '')
      if (!/^https?:\/\//.test(url)) return [{ want: 'read', tool: 'file_read', args: { path: url }, about: url }]
      const tool = offered.has('http_request') ? 'http_request' : 'browser_open'
      return [{ want, tool, args: { url }, about: url }]
    }
    case 'remember':
      return content === '' ? [] : [{ want, tool: 'memory_store', args: { content }, about: content }]
    case 'recall':
      return [
        {
          want,
          tool: 'memory_recall',
          args: { query: ONESELF.asked.test(content) ? ONESELF.query : content },
          about: content,
        },
      ]
    case 'run': {
      const command = (groups.content ?? '').trim()
      return [commandStep(/^\ue000\d+\ue001$/.test(command) ? content : masked.original(command))]
    }
    case 'write':
      return [{ want, tool: 'file_write', args: { path, content }, about: path }]
    case 'compare':
      return compareSteps(content, hands, lang)
    case 'help':
      return []
    default:
      return want satisfies never
  }
}

function commandStep(command: string): Step {
  const git = /^git((?: +(?!~)[\w./:=@^~+-]+)+)$/.exec(command)?.[1]
  if (git === undefined) return { want: 'run', tool: 'shell', args: { command }, about: command }
  return { want: 'run', tool: 'git', args: { args: git.trim().split(/ +/) }, about: command }
}

function compareSteps(content: string, { offered, dispatch }: Hands, lang: Lang): Step[] {
  const subjects = content
    .replace(PLACE_BEFORE, '')
    .replace(PLACE_AFTER, '')
    .split(COMPARED_JOIN)
    .filter((subject) => subject !== '')
    .slice(0, MOST_SCOUTS)
  const about = subjects.join(lang === 'zh' ? '、' : ', ')
  if (!offered.has(dispatch) && subjects.every((subject) => /\.\w+$/.test(subject))) {
    return subjects.map((path) => ({ want: 'read', tool: 'file_read', args: { path }, about: path }))
  }
  const tasks = subjects.map((subject) => REPLIES[lang].scoutTask(subject))
  return tasks.length === 0 ? [] : [{ want: 'compare', tool: dispatch, args: { tasks }, about }]
}

function transformStep(text: string): Step | undefined {
  const open = /^(?:please |请)?(?:transform|query|apply jmespath to|转换|查询) *(?=[[{])/iu.exec(text)
  if (!open) return undefined
  const rest = text.slice(open[0].length)
  for (const link of rest.matchAll(/[}\]] *(?:[,，] *)?(?:with|using|by|用|按) */giu)) {
    const input = rest.slice(0, link.index + 1)
    const expression = rest.slice(link.index + link[0].length).replace(/^["“`'](.*)["”`']$/su, '$1')
    if (expression === '' || !isJson(input)) continue
    return { want: 'transform', tool: 'json_transform', args: { input: JSON.parse(input), expression }, about: '' }
  }
  return undefined
}

function nameOf(path: string): string {
  return BARE_NAMES[path.toLowerCase()] ?? path
}

// The request has words, but the search tool takes patterns.
function escapePattern(words: string): string {
  return words.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
