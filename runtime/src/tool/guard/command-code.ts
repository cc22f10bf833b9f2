/** Code in arguments: what awk, sed and interpreters would do with it. Only certain shapes count as harmless. */
import type { CommandClass } from '../../protocol/command.ts'
import { hasOption, partWords, type Spelling } from './options.ts'

const STRINGS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g
const HARMFUL =
  /rmtree|unlink|remove|rmdir|rm(Sync)?\b|truncate|rename|system|popen|spawn|exec|subprocess|fork|eval|child_process|socket|urlopen|urllib|requests?\b|https?|fetch\(|write|open\([^)]*['"][wax+]|chmod|chown|kill|env|`|drop|delete/i
/** Longer code is not examined. */
const MAX_CODE = 4000
/** Functions that only compute, read or print. */
const FUNCTIONS = new Set(
  'print len sorted str repr list dict set min max sum type int float round range json.load json.loads json.dumps open platform.python_version platform.platform platform.system metadata.version importlib.metadata.version version os.getcwd os.listdir os.path.exists pprint console.log require JSON.stringify JSON.parse Object.keys Object.values Object.entries String Number process.cwd process.memoryUsage os.cpus Date.now puts p'.split(
    ' ',
  ),
)
const METHODS = new Set(
  'join split keys values items strip lower upper read readFileSync existsSync readdirSync map filter slice sort startsWith endsWith includes toString toISOString getTime'.split(
    ' ',
  ),
)

/** Code for an interpreter: `build` when it only prints what it imports, `run-programs` when it can do harm. */
export function inlineClass(code: string): CommandClass {
  if (code.length > MAX_CODE) return 'run-programs'
  const bare = code.replace(STRINGS, '§')
  if (isPrinting(code, bare)) return 'build'
  return HARMFUL.test(code) ? 'run-programs' : 'unknown'
}

/** Words that a plain assignment must not give another meaning. */
const FIXED = /^(json|os|sys|console|process|JSON|Object|platform|metadata|importlib|Date|require|open|print)$/
const ASSIGNS = /(^|[;\n])\s*(?:const |let |var )?([A-Za-z_]\w*)\s*=(?![=>])/g
const NAMED_VALUE = /\b(indent|sort_keys|ensure_ascii|sep|end|default|key|reverse|encoding)=(\w+|§)/g

/** True for code that only computes and prints. Every call in it must be a known one. */
function isPrinting(code: string, bare: string): boolean {
  // With these, it is not certain what is a string and what is code.
  if (/"""|\x27\x27\x27|`/.test(code) || /["\x27/#]/.test(bare)) return false
  if (/\b(f|rf|fr)("[^"]*\(|\x27[^\x27]*\()/i.test(code)) return false
  if (
    /\b(lambda|def|class|as|function|import\(|while|with|try)\b|@|[\])§]\s*\(|process\.env|environ|__/.test(
      bare.replace(/__version__/g, ''),
    )
  )
    return false
  const names = [...bare.matchAll(ASSIGNS)].map(([, , name = '']) => name)
  if (names.some((name) => FIXED.test(name) || FUNCTIONS.has(name))) return false
  if (/(?<![=!<>])=(?![=>])/.test(bare.replace(ASSIGNS, '$1').replace(NAMED_VALUE, ''))) return false
  if (
    /\bopen\([^)]*,/.test(bare) ||
    /child_process|["\x27](node:)?(net|https?|http2|dgram|vm|worker_threads)["\x27]/.test(code)
  )
    return false
  const called = [...bare.matchAll(/([\w$.]*)\s*\(/g)].map(([, name = '']) => name)
  const isMethod = (name: string): boolean => name.includes('.') && METHODS.has(name.slice(name.lastIndexOf('.') + 1))
  return called.every(
    (name) => name === '' || /^(in|if|and|or|not|for|return)$/.test(name) || FUNCTIONS.has(name) || isMethod(name),
  )
}

/** `unknown` when it writes files or reads its environment, `run-programs` when it starts programs. */
export function awkClass(program: string): CommandClass {
  if (program.length > MAX_CODE) return 'unknown'
  const bare = awkOutside(program)
  if (/\bsystem\s*\(|@|(?<!\|)\|(?!\|)/.test(bare)) return 'run-programs'
  return /\bprintf?\b[^;}\n]*>|\bENVIRON\b|\bgetline\b/.test(bare) ? 'unknown' : 'read'
}

/** The program without its strings and regular expressions. A slash after an operand divides. */
function awkOutside(program: string): string {
  let bare = ''
  for (let at = 0; at < program.length; at++) {
    const char = program.charAt(at)
    const isExpression = char === '/' && /(^|[(,~!&|{};\n=?:])\s*$/.test(bare)
    if (char !== '"' && !isExpression) {
      bare += char
      continue
    }
    for (at++; at < program.length && program.charAt(at) !== char; at++) if (program.charAt(at) === '\\') at++
    bare += '§'
  }
  return bare
}

const SED_SCRIPT: Spelling = { long: 'expression', letters: 'e', valued: 'fli' }

/** The scripts among the arguments of sed. */
export function sedScripts(args: readonly string[]): string[] {
  const given = args.flatMap((arg, i) => {
    if (!hasOption([arg], SED_SCRIPT)) return []
    const value = arg.replace(/^--\w+=?|^-\w*?e/, '')
    return [value === '' ? (args[i + 1] ?? '') : value]
  })
  return given.length > 0 ? given : partWords(args, { long: 'line-length', letters: 'l' }).words.slice(0, 1)
}

/** Reads a sed script command by command; `unknown` at the first one that writes, runs, or is not understood. */
export function sedClass(script: string): CommandClass {
  if (script.length > MAX_CODE) return 'unknown'
  let rest = script
  const skip = (pattern: RegExp): boolean => {
    const found = pattern.exec(rest)
    if (found !== null) rest = rest.slice(found[0].length)
    return found !== null
  }
  const address = /^(\d+(~\d+)?|\$|\/(?:[^/\\\n]|\\.)*\/[IM]*|\\(.)(?:(?!\3)[^\\\n]|\\.)*\3[IM]*)/
  while (skip(/^[\s;{}]+/) || rest !== '') {
    if (rest === '') break
    if (skip(address)) {
      skip(/^\s+/)
      if (skip(/^,\s*/) && !skip(address) && !skip(/^[+~]\d+/)) return 'unknown'
    }
    skip(/^\s*!?\s*/)
    const isPlain =
      skip(/^[{}]/) ||
      skip(/^s([^\w\s\\])(?:(?!\1)[^\\]|\\.)*\1(?:(?!\1)[^\\]|\\[\s\S])*\1[gpiIm\d]*(?=$|[\s;}])/) ||
      skip(/^y([^\w\s\\])(?:(?!\1)[^\\]|\\.)*\1(?:(?!\1)[^\\]|\\.)*\1/) ||
      skip(/^[pdDPgGhHnNxlqQ=zF]\s*\d*(?=$|[\s;}])/) ||
      skip(/^[btT:]\s*\w*(?=$|[\s;}])/) ||
      skip(/^[aic]\b[^\n]*/)
    if (!isPlain) return 'unknown'
  }
  return 'read'
}

const READS_ONLY = /^\s*(select|show|describe|desc|explain|pragma\s+\w+(\(\w+\))?\s*$)\b/i
const NOT_ONLY =
  /\b(into|insert|update|delete|drop|alter|create|truncate|grant|revoke|copy|call|do|set|lock|load|attach|analyze|vacuum|for\s+update)\b|\b(pg_(read|write|ls|terminate|cancel|reload|rotate|sleep|logical|promote|switch|create|drop)\w*|lo_\w+|dblink\w*|setval|nextval|load_extension|writefile|readfile|edit|load_file|sleep|benchmark|sys_\w+)\s*\(/i

/** True when every statement certainly only reads. */
export function isReadingSql(sql: string): boolean {
  if (sql.length > MAX_CODE) return false
  const bare = sql.replace(/'(?:[^']|'')*'/g, "''")
  if (/--|\/\*|\$\$|\\/.test(bare)) return /^\s*\\(d[a-z+]*|l\+?|conninfo|du|dt)(\s+[\w.*]+)?\s*$/.test(sql)
  const statements = bare.split(';').filter((one) => one.trim() !== '')
  return statements.length > 0 && statements.every((one) => READS_ONLY.test(one) && !NOT_ONLY.test(one))
}
