/** Splits a task into clauses and drops what is quoted, pasted, negated or only asked about, before cues are matched. */
import { NEGATION_END, NEGATION_START, POLITE_NO } from '../language/negation.ts'
import { QUESTION_ABOUT_CLAUSE, QUESTION_START } from '../language/questions.ts'
import { CODE_FENCE, QUOTED_IN_LINE } from '../language/quotes.ts'
import { POLITE_OPENING } from '../language/requests.ts'
import { CONNECTOR, TASK_CLAUSE_END, TASK_SENTENCE_END } from '../language/sentences.ts'
import { TASK_SIMPLIFIED } from '../language/traditional-chinese.ts'
import { CODE, PROSE } from './phrases/shared.ts'
import { COMPOSE, INTO_FILE, STATEMENT, TALK, TEXT_WORK } from './phrases/talk.ts'
import { MASK } from './phrases/words.ts'

export interface Sentence {
  text: string
  /** What the user asks to be done, clause by clause. */
  requests: string[]
  /** The same with the insides of questions. */
  withQuestions: string[]
  /** The same with questions and with what is negated. */
  withNegated: string[]
}

// A task can be a pasted megabyte; the request is at its beginning or its end.
const HEAD = 4000
const TAIL = 1000
// Some cues look back and forth inside a clause, so the cost of a very long one is quadratic.
const CLAUSE_MAX = 400
const SENTENCES_MAX = 100

export function readSentences(task: string): Sentence[] {
  return mask(headAndTail(task).normalize('NFKC'))
    .split(TASK_SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence, i, all) => sentence !== '' && (i < SENTENCES_MAX / 2 || i >= all.length - SENTENCES_MAX / 2))
    .map(readSentence)
}

function headAndTail(task: string): string {
  return task.length <= HEAD + TAIL ? task : `${task.slice(0, HEAD)}\n${task.slice(-TAIL)}`
}

function readSentence(sentence: string): Sentence {
  const pieces = dropPayload(sentence)
    .split(TASK_CLAUSE_END)
    .map((piece) => piece.trim().slice(0, CLAUSE_MAX))
    .filter((piece) => piece !== '')
    .slice(0, SENTENCES_MAX)
  const affirmed = pieces.map(dropNegated)
  return {
    text: sentence,
    withNegated: pieces.flatMap(splitClauses),
    withQuestions: affirmed.flatMap(splitClauses).filter((clause) => !isProse(clause)),
    requests: affirmed.map(dropQuestion).flatMap(splitClauses).map(dropTopic),
  }
}

// ---------------------------------------------------------------------------------------------- masks

const SOURCE_EXT =
  'tsx?|jsx?|mjs|cjs|py|rs|go|java|kt|cc?|cpp|hpp?|cs|rb|php|swift|scala|vue|svelte|s?css|less|html?|sql|sh|lua|dart'
const FILE_EXT =
  'txt|md|csv|tsv|json|ya?ml|toml|xml|log|pdf|docx?|xlsx?|pptx?|zip|tar(?:\\.gz)?|gz|tgz|rar|7z|png|jpe?g|gif|svg|webp|mp[34]|mov|wav|env|ini|cfg|conf|lock|bak|db|sqlite|epub|ipynb|tmp|iso|key|pem|pages|numbers'
const TLD =
  'com|org|net|io|cn|dev|ai|gov|edu|app|co|tw|hk|jp|uk|de|fr|me|info|xyz|tv|us|eu|ru|in|site|shop|blog|cloud|online'
const IDENTIFIER =
  /\b(?!i(?:Phone|Pad|OS|Mac|Tunes|Cloud|Message|Pod)|e(?:Bay|Book|Commerce)|macOS|tvOS|watchOS)[a-z]+[A-Z]\w*|\b[A-Za-z_]\w*\(\)/gu
const LIBRARIES = /\b(?:node|vue|next|nuxt|react|three|d3|express|chart|ember|backbone)\.js\b/giu
const STEM = '[\\w@+*-][\\w.@+*-]*'
const FOLDERS =
  'src|lib|docs?|tests?|bin|etc|app|apps|dist|build|tmp|data|config|home|usr|var|assets|public|packages|node_modules'

const URL = new RegExp(
  `(?:https?|ftp|file):\\/\\/[^\\s,，。；、！？()（）"“”「」<>]+|\\bwww\\.[\\w./-]+|\\blocalhost(?::\\d+)?(?:\\/[\\w./-]*)?|\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d+)?(?:\\/[\\w./-]*)?|(?<![\\w@./-])[a-z0-9-]+(?:\\.[a-z0-9-]+)*\\.(?:${TLD})(?![\\w.-]*\\w)(?:\\/[\\w./?=&%#-]*)?`,
  'giu',
)
const SOURCE_FILE = new RegExp(`(?<![\\w.~@/-])(?:[\\w.~@-]*\\/)*(?:${STEM})?\\.(?:${SOURCE_EXT})(?![\\w])`, 'giu')
const PLAIN_FILE = new RegExp(
  `(?<![\\w.~@/-])(?:[\\w.~@-]*\\/)*(?:${STEM})?\\.(?:${FILE_EXT})(?![\\w])|(?<!\\w)\\.(?:gitignore|npmrc|bashrc|zshrc|vimrc|editorconfig)\\b`,
  'giu',
)
const FOLDER = new RegExp(
  `(?<![\\w/])(?:~|\\.{1,2})?\\/[\\w.@~+-][\\w.@~+\\/-]*|(?<!\\w)~(?=\\/|\\s|$)\\/?|(?<![\\w/])\\.{1,2}\\/|[a-z]:\\\\[^\\s,，。]*|\\b(?:${FOLDERS})\\/[\\w.@+\\/-]*|\\b[\\w.-]{2,}\\/[\\w.-]+\\/[\\w.\\/-]*|\\b[\\w.-]{2,}\\/(?=\\s|$|[,，。;]|\\p{Script=Han})`,
  'giu',
)
function mask(text: string): string {
  const unwrapped = text
    .trim()
    .replace(/^["“「'](.*)["”」']$/su, (whole, inner: string) => (/["“”「」]/u.test(inner) ? whole : inner))
  return simplify(
    unwrapped
      .replace(/’/g, "'")
      .replace(/\bopen[- ]source/giu, 'opensource')
      .replace(CODE_FENCE, ` ${MASK.code} `)
      .replace(/\{[^{}\n]{0,400}\}/gu, ` ${MASK.quote} `)
      .replace(QUOTED_IN_LINE, maskQuoted)
      .replace(URL, MASK.url)
      .replace(LIBRARIES, (name) => name.replace('.', ''))
      .replace(/\b(?:[Rr][Ee][Aa][Dd][Mm][Ee]|[Cc]hangelog|LICENSE|CHANGELOG|CONTRIBUTING)\b(?!\.)/gu, MASK.file)
      .replace(SOURCE_FILE, MASK.source)
      .replace(PLAIN_FILE, MASK.file)
      .replace(FOLDER, MASK.folder)
      .replace(IDENTIFIER, MASK.code)
      .toLowerCase(),
  )
}

/** A quoted file name or address still counts as one; any other quotation is masked as text. */
function maskQuoted(whole: string, ...groups: unknown[]): string {
  const inner = groups.find((group) => typeof group === 'string') ?? ''
  if (inner.search(URL) === 0) return ` ${MASK.url} `
  if (new RegExp(`\\.(?:${SOURCE_EXT})$`, 'iu').test(inner)) return ` ${MASK.source} `
  if (new RegExp(`\\.(?:${FILE_EXT})$`, 'iu').test(inner)) return ` ${MASK.file} `
  if (/^[~./][\w./-]*$|\/$/u.test(inner)) return ` ${MASK.folder} `
  return whole.startsWith('`') ? ` ${MASK.code} ` : ` ${MASK.quote} `
}

function simplify(text: string): string {
  return text.replace(/\p{Script=Han}/gu, (character) => TASK_SIMPLIFIED.get(character) ?? character)
}

// ---------------------------------------------------------------------------------------------- scopes

function dropPayload(sentence: string): string {
  const colon = sentence.search(/[:：]/u)
  const before = sentence.slice(0, Math.max(0, colon))
  return TEXT_WORK.test(before) || (INTO_FILE.test(before) && THING.test(before)) ? before : sentence
}

function dropNegated(piece: string): string {
  const polite = piece.replace(POLITE_NO, ' ')
  const at = polite.search(NEGATION_START)
  if (at < 0) return polite
  const negated = polite.slice(at)
  // "just" may itself be negated ("don't just …"), so the search for the end starts a little later.
  const end = negated.slice(4).search(NEGATION_END)
  return `${polite.slice(0, at)} ${end < 0 ? '' : dropNegated(negated.slice(end + 4))}`.trim()
}

function dropQuestion(piece: string): string {
  const at = piece.search(QUESTION_START)
  const clauses = splitClauses(piece)
  const last = clauses.at(-1) ?? ''
  const cut = at < 0 ? piece : piece.slice(0, at)
  if (!QUESTION_ABOUT_CLAUSE.test(last)) return cut
  return clauses.slice(0, -1).join(' 并')
}

function splitClauses(piece: string): string[] {
  return piece
    .split(CONNECTOR)
    .map((clause) => trimOpening(clause))
    .filter((clause) => clause !== '')
}

function trimOpening(clause: string): string {
  let rest = clause.trim()
  for (let i = 0; i < 4; i++) {
    const next = rest.replace(POLITE_OPENING, '')
    if (next === rest || next === '') break
    rest = next
  }
  return rest
}

/** Talk and prose about a thing: the words after "explain" or in the title of a poem are no request. */
function dropTopic(clause: string): string {
  if (isProse(clause) || STATEMENT.test(clause)) return ''
  const at = clause.search(TALK)
  if (at < 0) return clause
  return THING.test(clause) ? clause : clause.slice(0, at)
}

const THING = new RegExp(`[${MASK.file}${MASK.folder}${MASK.source}${MASK.url}]`, 'u')

/** With any name: "create a folder named reports". */
const NEW_FOLDER =
  /\b(?:create|make|add) (?:[\w-]+ ){0,3}(?:sub)?(?:folders?|director(?:y|ies)|dirs?)\b|(?:建|添加).{0,8}(?:文件夹|目录)/u

/** "An email about the function" is prose, "a function that sends an email" is not: the head noun decides. */
function isProse(clause: string): boolean {
  const prose = PROSE.exec(clause)
  if (prose === null || !COMPOSE.test(clause) || THING.test(clause) || NEW_FOLDER.test(clause)) return false
  if (!CODE.test(clause)) return true
  return /\p{Script=Han}/u.test(prose[0])
    ? lastIndex(clause, PROSE) > lastIndex(clause, CODE)
    : prose.index < clause.search(CODE)
}

function lastIndex(text: string, pattern: RegExp): number {
  return [...text.matchAll(new RegExp(pattern, 'gu'))].at(-1)?.index ?? -1
}
