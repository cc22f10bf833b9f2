/**
 * The phrases and texts of the built-in rules, as data. The first phrase that matches a clause decides. `PATH` is a
 * quoted text or a word that looks like a file or folder.
 */
import type { Lang } from '../i18n/locale.ts'
import type { EMPTY_RESULTS } from '../protocol/empty-results.ts'

export type Want =
  | 'status'
  | 'log'
  | 'diff'
  | 'first-line'
  | 'last-line'
  | 'line-count'
  | 'compare'
  | 'remember'
  | 'recall'
  | 'run'
  | 'write'
  | 'fetch'
  | 'search-docs'
  | 'search'
  | 'read'
  | 'list'
  | 'help'

export interface Phrase {
  want: Want
  pattern: RegExp
  /** The words after it may belong to it: “remember that I like tea and coffee”. */
  open?: true
}

// Quoted texts and URLs are replaced by placeholders of these characters before clauses are split.
export const MASK = { open: '\ue000', close: '\ue001' }
const MASKED = `${MASK.open}\\d+${MASK.close}`
const NAME = '(?:README|LICENSE|CHANGELOG|CONTRIBUTING|Makefile|Dockerfile)'
const FILE = `(?:${MASKED}|(?<=^|\\s)[\\p{L}\\p{N}_./~@+-]+\\.[A-Za-z0-9]+|(?<![\\w./~@+-])(?:[\\w./~@+-]*\\.[\\w-]+|[\\w.~@+-]*/[\\w./~@+-]+|[\\w.~@+-]+/)|${NAME}(?![\\w-]))`
const PLACE = `(?:${MASKED}|[\\w./~@+-]+)`

function phrase(want: Want, source: string, open?: true): Phrase {
  const pattern = new RegExp(
    source.replaceAll('<FILE>', FILE).replaceAll('<PLACE>', PLACE).replaceAll('<QUOTED>', MASKED),
    'iu',
  )
  return open ? { want, pattern, open } : { want, pattern }
}

export const PHRASES: readonly Phrase[] = [
  phrase('remember', '^(?:remember|note)(?: down)?(?: that)?\\b[:,]? *(?<content>.*)$', true),
  phrase('remember', '^(?:记住|记下|记一下|请记得)[，,：: ]*(?<content>.*)$', true),
  phrase('recall', '^what do you (?:remember|know) about (?<content>.+)$', true),
  phrase('recall', '^(?:recall|do you remember) (?<content>.+)$', true),
  phrase(
    'recall',
    '^(?:你)?(?:还记得|记不记得|记得|回忆一?下)(?:关于)?(?<content>.+?)(?:的?(?:什么|哪些)(?:事情?)?|的事情?|吗|(?<!什|怎|多)么)*$',
  ),
  phrase(
    'write',
    '^(?:write|save|put) (?<content><QUOTED>) (?:to|into|in) (?:an? |the )?(?:new )?(?:file )?(?:called |named )?(?<path><FILE>)',
  ),
  phrase(
    'write',
    '^(?:create|make|write|add) (?:an? |the )?(?:new )?(?:text )?(?:file )?(?:called |named )?(?<path><FILE>)(?: (?:with|containing|saying|that says)(?: the)?(?: contents?| text)?:? (?<content>.+))?$',
    true,
  ),
  // A description (“the first line of a.txt”) is no text to write.
  phrase(
    'write',
    '^(?:write|save|put) (?!(?:an?|the|it|its|this|that|these|those|all|what|how|my|your|some) )(?<content>(?:(?!<FILE>).)+?) (?:to|into|in) (?:an? |the )?(?:new )?(?:file )?(?:called |named )?(?<path><FILE>)$',
  ),
  phrase('write', '^(?:把|将)(?<content>.+?)(?:写入|写到|写进|保存到|存到)(?:文件)? *(?<path><FILE>)'),
  phrase(
    'write',
    '^(?:创建|新建|写)(?:一个)?(?:新)?(?:的)?(?:文件)? *(?<path><FILE>)(?:[，, ]*(?:内容)?(?:是|为|写上|写入)[：: ]*(?<content>.+))?$',
    true,
  ),
  phrase('run', '^(?:run|execute)(?: the)?(?: command)?:? +(?<content>.+)$', true),
  phrase('run', '^(?:运行|执行)(?:一下)?(?:命令)?[：: ]*(?<content>.+)$', true),
  phrase('compare', '^compare (?<content>.+)$', true),
  phrase('compare', '^(?:比较|对比)(?:一下)? *(?<content>.+)$', true),
  phrase('fetch', '\\b(?:fetch|get|download|open|visit|read|load|browse|request|curl)\\b.* (?<url><QUOTED>)'),
  phrase('fetch', '(?:访问|抓取|打开|获取|下载|读取?|看看?|请求) *(?:网页|网址|页面|链接)? *(?<url><QUOTED>)'),
  phrase('fetch', '^(?<url><QUOTED>)$'),
  phrase('status', "\\bgit status\\b|what(?:’s|'s| has| have| did)? .*changed|uncommitted|working tree"),
  phrase('status', 'git *的?状态|仓库状态|改了(?:什么|哪些)|有(?:什么|哪些)改动|未提交'),
  phrase('log', '\\b(?<single>last|latest|most recent)(?: git)? commit\\b(?! (?:history|log|messages)\\b)'),
  phrase(
    'log',
    '(?<single>最后|最新|最近|上)的?(?:一次|一个|一条|一笔|次)的? *(?:git *)?提交|(?<single2>最后|最新)的? *(?:git *)?提交(?!历史|记录)',
  ),
  phrase(
    'log',
    '\\bgit log\\b|(?:recent|last|latest)(?: (?<count>\\d+))?(?: git)? commits?|commit history|history of commits',
  ),
  phrase('log', '(?:最近|近)的? *(?<count>\\d+)? *(?:次|个|条|笔)?的? *(?:git *)?提交|提交(?:历史|记录)|git *日志'),
  phrase('diff', '\\bgit diff\\b|\\b(?:show|see|view)\\b.*\\bdiff\\b'),
  phrase('diff', '(?:查看|看看?|显示).*(?:差异|改动的?内容)|git *差异'),
  phrase(
    'first-line',
    "(?:first|top) line (?:of|in|from) (?:the )?(?:file )?(?<path><FILE>)|(?<path2><FILE>)(?:’s|'s) first line",
  ),
  phrase('first-line', '(?<path><FILE>) *(?:文件)?的?(?:第一行|首行)'),
  phrase('last-line', '(?:last|final) line (?:of|in|from) (?:the )?(?:file )?(?<path><FILE>)'),
  phrase('last-line', '(?<path><FILE>) *(?:文件)?的?最后一行'),
  phrase(
    'line-count',
    '(?:how many|number of|count(?: the)?) lines (?:are |does )?(?:of|in|has)? ?(?:the )?(?:file )?(?<path><FILE>)',
  ),
  phrase('line-count', '(?<path><FILE>) *(?:文件)?(?:里|中)?(?:一共|总共|共)?有?(?:多少|几)行'),
  phrase(
    'search-docs',
    '^(?:search|look) (?:in |through )?(?:the )?doc(?:s|uments?|umentation) for (?<content>.+)$',
    true,
  ),
  phrase('search-docs', '^在?文档(?:里|中)?(?:搜索|查找|查一下|找) *(?<content>.+)$'),
  phrase(
    'search',
    '^(?:search|grep|look|find)(?: (?:for|all|every|where|the word))* (?<content>.+?)(?: (?:in|inside|under|within) (?:the )?(?:folder |directory |file )?(?<path><PLACE>))?$',
    true,
  ),
  phrase(
    'search',
    '^在 *(?<path><PLACE>) *(?:目录|文件夹|文件)?(?:里|中|下)?面?(?:搜索|查找|搜一下|找一下|找) *(?<content>.+)$',
  ),
  phrase('search', '^(?:搜索|查找|搜一下|找一下|查一下|搜) *(?<content>.+)$'),
  phrase(
    'list',
    '^(?:ls|list|dir)(?: (?:all|the|my|files|folders|everything|what is))*(?: (?:in|of|under|inside)(?: the)?)?(?: (?:folder|directory))?(?: (?<path><PLACE>))?(?: (?:folder|directory))?$',
  ),
  phrase(
    'list',
    '\\b(?:what|which|show)\\b.*\\b(?:files|folders|here|workspace|(?:current|this) (?:folder|directory))\\b(?:.*? (?:in|of|under) (?:the )?(?:folder |directory )?(?<path>(?!current\\b|this\\b|here\\b)<PLACE>))?',
  ),
  phrase(
    'list',
    "^(?:what’s|what's|what is) in (?:the )?(?:folder |directory )?(?<path>(?!<FILE>$)<PLACE>)(?: folder| directory)?$",
  ),
  phrase(
    'list',
    '(?:当前|这个|本|工作)(?:目录|文件夹|区)|这里有(?:什么|哪些)|列出(?:这里|这儿|此处)?(?:的)?(?:所有)?(?:的)?文件|有哪些文件$',
  ),
  phrase(
    'list',
    '(?:列出|看看?|查看|显示)? *(?<path><PLACE>) *(?:目录|文件夹)(?:里|下|中)?面?(?:的?(?:所有)?文件|的?内容|有(?:什么|哪些).*)?$',
  ),
  phrase('read', '\\b(?:read|show|open|cat|print|display|view|see|tell)\\b.*?(?<path><FILE>)'),
  phrase('read', "^what(?:’s|'s| is| does)(?: in)? (?:the )?(?:file )?(?<path><FILE>)(?: say| contain)?$"),
  phrase('read', '(?:读取?|打开|查看|看看?|看一下|显示|把).*?(?<path><FILE>)'),
  phrase('read', '^(?<path><FILE>) *(?:里|中)?面?(?:写了|有|是)什么'),
  phrase(
    'help',
    '^(?:help|hi|hello|hey|what can you do|who are you|帮助|你好|您好|你(?:能|会|可以)做什么|你是谁)[ ?？!！。.]*$',
  ),
]

/** The text after it is a command, whatever it looks like. */
export const COMMAND_HEAD =
  /^(?:(?:run|execute)(?: (?:the|this))?(?: following)?(?: command)?: *|(?:运行|执行)(?:一下)?(?:(?:下面|以下|这条|这个)的?)?(?:命令)?[：:])\s*/iu

/** The subject of a scout's task; the whole task when neither matches. */
export const SUBJECTS = [/\babout (?<subject>.+)$/iu, /关于 *(?<subject>.+?) *(?:的|有)/u]

/** “What do you remember about me?”: what was remembered says “I” and “my”. */
export const ONESELF = { asked: /^(?:me|myself|us)$/i, query: 'I me my we us our' }

/** Words for the current folder. */
export const HERE = /^(?:here|there|it|this|everything|workspace|\.\/?|current(?: (?:folder|directory))?)$/i

export const BARE_NAMES: Readonly<Record<string, string>> = {
  readme: 'README.md',
  changelog: 'CHANGELOG.md',
  contributing: 'CONTRIBUTING.md',
}

interface Replies {
  help: string
  notUnderstood: (words: string) => string
  alsoNotUnderstood: (words: string) => string
  noTool: (tool: string) => string
  refused: (tool: string, why: string) => string
  failed: (tool: string, why: string) => string
  notTried: (tools: string) => string
  empty: string
  nothing: Record<keyof typeof EMPTY_RESULTS, string>
  firstLine: (path: string, line: string) => string
  lastLine: (path: string, line: string) => string
  lineCount: (path: string, count: number) => string
  beginningOnly: (path: string) => string
  listing: (path: string) => string
  content: (path: string) => string
  found: (what: string) => string
  fetched: (url: string) => string
  ran: (command: string) => string
  wrote: (path: string) => string
  remembered: (content: string) => string
  recalled: (query: string) => string
  git: (what: string) => string
  transformed: string
  compared: (subjects: string) => string
  more: (lines: number) => string
  scoutTask: (subject: string) => string
  scoutNote: (subject: string) => string
  scoutNothing: (subject: string) => string
  scoutReported: string
}

export const REPLIES: Record<Lang, Replies> = {
  en: {
    help: 'I am a small set of built-in rules. I can: list, read, search and write files; show git status, log and diff; fetch a URL; remember and recall facts; run a command; transform JSON; compare two subjects in the documents. For example: "list the files and show the first line of README".',
    notUnderstood: (words) => `I did not understand "${words}".`,
    alsoNotUnderstood: (words) => `I did not understand this part and left it out: "${words}".`,
    noTool: (tool) => `That needs the tool ${tool}, which is not available here.`,
    refused: (tool, why) => `${tool} was denied: ${why}`,
    failed: (tool, why) => `${tool} failed: ${why}`,
    notTried: (tools) => `Not tried after that: ${tools}.`,
    empty: '(empty)',
    nothing: {
      folder: '(the folder is empty)',
      matches: '(no matches)',
      output: '(no output)',
      memories: '(nothing remembered matches)',
      documents: '(no document matches)',
    },
    firstLine: (path, line) => `The first line of ${path}: ${line}`,
    lastLine: (path, line) => `The last line of ${path}: ${line}`,
    lineCount: (path, count) => `${path} has ${count} ${count === 1 ? 'line' : 'lines'}.`,
    beginningOnly: (path) => `${path} is too long for me: I saw only its beginning.`,
    listing: (path) => `In ${path === '.' ? 'the workspace' : path}:`,
    content: (path) => `${path}:`,
    found: (what) => `Search for "${what}":`,
    fetched: (url) => `${url} answered:`,
    ran: (command) => `Output of \`${command}\`:`,
    wrote: (path) => `Wrote ${path}.`,
    remembered: (content) => `I will remember: ${content}`,
    recalled: (query) => `What I remember about "${query}":`,
    git: (what) => `git ${what}:`,
    transformed: 'Result:',
    compared: (subjects) => `What the documents say about ${subjects}:`,
    more: (lines) => `… and ${lines} more ${lines === 1 ? 'line' : 'lines'}`,
    scoutTask: (subject) => `Find what the documents say about ${subject}`,
    scoutNote: (subject) => `Passage about ${subject}`,
    scoutNothing: (subject) => `No document says anything about ${subject}.`,
    scoutReported: 'Reported.',
  },
  zh: {
    help: '我是一组内置规则，可以：列出、读取、搜索、写入文件；查看 git 状态、提交记录和差异；抓取网址；记住和回忆；运行命令；转换 JSON；比较文档中的两个主题。例如：“看看当前目录有什么，把 README 的第一行告诉我”。',
    notUnderstood: (words) => `我没有理解“${words}”。`,
    alsoNotUnderstood: (words) => `这部分我没有理解，未处理：“${words}”。`,
    noTool: (tool) => `这需要工具 ${tool}，但这里没有提供。`,
    refused: (tool, why) => `${tool} 被拒绝：${why}`,
    failed: (tool, why) => `${tool} 失败：${why}`,
    notTried: (tools) => `之后的步骤没有执行：${tools}。`,
    empty: '（空）',
    nothing: {
      folder: '（文件夹是空的）',
      matches: '（没有匹配）',
      output: '（没有输出）',
      memories: '（没有匹配的记忆）',
      documents: '（没有匹配的文档）',
    },
    firstLine: (path, line) => `${path} 的第一行：${line}`,
    lastLine: (path, line) => `${path} 的最后一行：${line}`,
    lineCount: (path, count) => `${path} 共 ${count} 行。`,
    beginningOnly: (path) => `${path} 太长，我只看到了开头。`,
    listing: (path) => `${path === '.' ? '工作区' : `${path} `}中有：`,
    content: (path) => `${path}：`,
    found: (what) => `搜索“${what}”的结果：`,
    fetched: (url) => `${url} 返回：`,
    ran: (command) => `\`${command}\` 的输出：`,
    wrote: (path) => `已写入 ${path}。`,
    remembered: (content) => `已记住：${content}`,
    recalled: (query) => `关于“${query}”，我记得：`,
    git: (what) => `git ${what}：`,
    transformed: '结果：',
    compared: (subjects) => `文档中关于 ${subjects} 的说明：`,
    more: (lines) => `……另有 ${lines} 行`,
    scoutTask: (subject) => `查找文档中关于 ${subject} 的说明`,
    scoutNote: (subject) => `关于 ${subject} 的段落`,
    scoutNothing: (subject) => `没有文档提到 ${subject}。`,
    scoutReported: '已报告。',
  },
}
