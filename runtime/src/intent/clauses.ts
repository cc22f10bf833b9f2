/** Cuts a task into clauses and drops what is quoted, pasted, negated or only asked about, before any cue is heard. */
import {
  COMPOSE,
  CONNECTOR,
  INTO_FILE,
  NOT,
  NOT_ENDS,
  OPENING,
  POLITE_NO,
  QUESTION,
  QUESTION_OF_ALL,
  STATEMENT,
  TALK,
  TEXT_WORK,
} from './phrases/grammar.ts'
import { CODE, PROSE } from './phrases/shared.ts'
import { MASK } from './phrases/words.ts'

export interface Sentence {
  text: string
  /** What the user asks to be done, clause by clause. */
  said: string[]
  /** The same with the insides of questions. */
  asked: string[]
  /** The same with what is negated, too. */
  any: string[]
}

// A task can be a pasted megabyte; what is wanted stands at its beginning or its end.
const HEAD = 4000
const TAIL = 1000
// Some cues look back and forth inside a clause, so an endless one would cost its square.
const CLAUSE_MAX = 400
const SENTENCES_MAX = 100

export function readSentences(task: string): Sentence[] {
  return mask(bound(task).normalize('NFKC'))
    .split(/[!?;\n。]+|\.(?=\s|$|\p{Script=Han})/u)
    .map((sentence) => sentence.trim())
    .filter((sentence, i, all) => sentence !== '' && (i < SENTENCES_MAX / 2 || i >= all.length - SENTENCES_MAX / 2))
    .map(readSentence)
}

function bound(task: string): string {
  return task.length <= HEAD + TAIL ? task : `${task.slice(0, HEAD)}\n${task.slice(-TAIL)}`
}

function readSentence(sentence: string): Sentence {
  const pieces = dropPayload(sentence)
    .split(/[,:]| - |--|—/u)
    .map((piece) => piece.trim().slice(0, CLAUSE_MAX))
    .filter((piece) => piece !== '')
    .slice(0, SENTENCES_MAX)
  const kept = pieces.map(dropNegated)
  return {
    text: sentence,
    any: pieces.flatMap(splitClauses),
    asked: kept.flatMap(splitClauses).filter((clause) => !isProse(clause)),
    said: kept.map(dropQuestion).flatMap(splitClauses).map(dropTopic),
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
const QUOTED =
  /"([^"\n]{1,400})"|“([^”\n]{1,400})”|‘([^’\n]{1,400})’|「([^」\n]{1,400})」|『([^』\n]{1,400})』|《([^》\n]{1,100})》|`([^`\n]{1,400})`|(?<=^|[\s(:,，：])'([^'\n]{1,400})'(?![a-z])/gu
const FENCE = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/gu

function mask(text: string): string {
  const unwrapped = text
    .trim()
    .replace(/^["“「'](.*)["”」']$/su, (whole, inner: string) => (/["“”「」]/u.test(inner) ? whole : inner))
  return simplify(
    unwrapped
      .replace(/’/g, "'")
      .replace(/\bopen[- ]source/giu, 'opensource')
      .replace(FENCE, ` ${MASK.code} `)
      .replace(/\{[^{}\n]{0,400}\}/gu, ` ${MASK.quote} `)
      .replace(QUOTED, maskQuoted)
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

/** A quoted name is still the thing it names; any other quotation is only words. */
function maskQuoted(whole: string, ...groups: unknown[]): string {
  const inner = groups.find((group) => typeof group === 'string') ?? ''
  if (inner.search(URL) === 0) return ` ${MASK.url} `
  if (new RegExp(`\\.(?:${SOURCE_EXT})$`, 'iu').test(inner)) return ` ${MASK.source} `
  if (new RegExp(`\\.(?:${FILE_EXT})$`, 'iu').test(inner)) return ` ${MASK.file} `
  if (/^[~./][\w./-]*$|\/$/u.test(inner)) return ` ${MASK.folder} `
  return whole.startsWith('`') ? ` ${MASK.code} ` : ` ${MASK.quote} `
}

const TRADITIONAL =
  '瀏覽開網頁檔資夾錄錯誤調試測複復製刪記憶訪問點擊連結鏈尋詢聯線載請幫個這裡裏別無為樣麼說講過訴單編譯寫碼數類變實現構讀檢視統計對較壓縮備動併並後從給將關於氣聞價匯時間應嗎還歡愛詩郵標題圖導進鈕輸簡釋義區轉換優補級異當機腳執務環張經長聽東買賣總結顯發見書課電視話語論學樓場業據員裝設項條'
const SIMPLIFIED =
  '浏览开网页档资夹录错误调试测复复制删记忆访问点击连结链寻询联线载请帮个这里里别无为样么说讲过诉单编译写码数类变实现构读检视统计对较压缩备动并并后从给将关于气闻价汇时间应吗还欢爱诗邮标题图导进钮输简释义区转换优补级异当机脚执务环张经长听东买卖总结显发见书课电视话语论学楼场业据员装设项条'
const TO_SIMPLIFIED = new Map([...TRADITIONAL].map((character, i) => [character, [...SIMPLIFIED][i] ?? character]))

function simplify(text: string): string {
  return text.replace(/\p{Script=Han}/gu, (character) => TO_SIMPLIFIED.get(character) ?? character)
}

// ---------------------------------------------------------------------------------------------- scopes

function dropPayload(sentence: string): string {
  const colon = sentence.search(/[:：]/u)
  const before = sentence.slice(0, Math.max(0, colon))
  return TEXT_WORK.test(before) || (INTO_FILE.test(before) && THING.test(before)) ? before : sentence
}

function dropNegated(piece: string): string {
  const polite = piece.replace(POLITE_NO, ' ')
  const at = polite.search(NOT)
  if (at < 0) return polite
  const negated = polite.slice(at)
  // "just" may itself be what is negated ("don't just …"), so the end is looked for a little later.
  const end = negated.slice(4).search(NOT_ENDS)
  return `${polite.slice(0, at)} ${end < 0 ? '' : dropNegated(negated.slice(end + 4))}`.trim()
}

function dropQuestion(piece: string): string {
  const at = piece.search(QUESTION)
  const clauses = splitClauses(piece)
  const last = clauses.at(-1) ?? ''
  const cut = at < 0 ? piece : piece.slice(0, at)
  if (!QUESTION_OF_ALL.test(last)) return cut
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
    const next = rest.replace(OPENING, '')
    if (next === rest || next === '') break
    rest = next
  }
  return rest
}

/** Talk and prose about a thing is not the thing: the words after "explain" or in a poem's title ask for nothing. */
function dropTopic(clause: string): string {
  if (isProse(clause) || STATEMENT.test(clause)) return ''
  const at = clause.search(TALK)
  if (at < 0) return clause
  return THING.test(clause) ? clause : clause.slice(0, at)
}

const THING = new RegExp(`[${MASK.file}${MASK.folder}${MASK.source}${MASK.url}]`, 'u')

/** Whatever it is called: "create a folder named reports". */
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
