/** Code in arguments: what interpreters and databases would do with it. Only certain shapes count as harmless. */
import type { CommandClass } from '../../protocol/command.ts'
import { scriptByName } from './command-names.ts'
import { worst } from './command-row.ts'

const STRINGS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g
const HARMFUL =
  /rmtree|unlink|remove|rmdir|rm(Sync)?\b|truncate|rename|system|popen|spawn|exec|subprocess|fork|eval|child_process|socket|urlopen|urllib|requests?\b|https?|fetch\(|write|open\([^)]*['"][wax+]|chmod|chown|kill|env|`|drop|delete/i
/** Longer code is not examined. */
const MAX_CODE = 4000
/**
 * The only shapes of code that count as harmless: printing a version or a part of a file of the project. What they
 * import is the project's own code.
 */
const PRINTS = [
  /^import [\w.]+(, ?[\w.]+)*(; ?|\n)print\([\w.]+\)$/,
  /^print\([\d. +*/%-]*\)$/,
  /^(console\.log\()?process\.(version|versions\.\w+|platform|arch|cwd\(\))\)?$/,
  /^(console\.log\()?require\(§\)(\.\w+|\[§\])*\)?$/,
]

/** Code for an interpreter: `build` when it only prints, else asked about; `run-programs` when it can do harm. */
export function inlineClass(code: string): CommandClass {
  if (code.length > MAX_CODE) return 'run-programs'
  const names = code.match(/[\w./-]+/g) ?? []
  const bare = code.trim().replace(STRINGS, '§')
  if (PRINTS.some((shape) => shape.test(bare)))
    return worst(['build', ...names.map(scriptByName).filter((is) => is !== 'change')])
  return HARMFUL.test(code) ? 'run-programs' : 'unknown'
}

const READS_ONLY = /^\s*(select|show|describe|desc|explain|pragma\s+\w+(\(\w+\))?\s*$)\b/i
const NOT_ONLY =
  /\b(into|insert|update|delete|drop|alter|create|truncate|grant|revoke|copy|call|do|set|lock|load|attach|analyze|vacuum|for\s+update)\b|\b(pg_(read|write|ls|terminate|cancel|reload|rotate|sleep|logical|promote|switch|create|drop)\w*|lo_\w+|dblink\w*|setval|nextval|load_extension|writefile|readfile|edit|load_file|sleep|benchmark|sys_\w+)\s*\(/i

/** Functions that only compute; any other may change the server. */
const SQL_FUNCTIONS =
  /^(count|sum|avg|min|max|now|coalesce|nullif|lower|upper|length|substr|substring|trim|round|abs|date|time|datetime|strftime|date_trunc|extract|json_extract|cast|concat|version|current_database|current_schema|in|exists|values|and|or|not|where|on|using|over|as|from|select|by|distinct|any|all|row_number|rank|table_info|index_list)$/i

/** True when every statement certainly only reads. */
export function isReadingSql(sql: string): boolean {
  if (sql.length > MAX_CODE) return false
  const bare = sql.replace(/'(?:[^']|'')*'/g, "''")
  if (/--|\/\*|\$\$|\\/.test(bare)) return /^\s*\\(d[a-z+]*|l\+?|conninfo|du|dt)(\s+[\w.*]+)?\s*$/.test(sql)
  if (/["`\]]\s*\(/.test(bare)) return false
  if ([...bare.matchAll(/(\w+)\s*\(/g)].some(([, name = '']) => !SQL_FUNCTIONS.test(name))) return false
  const statements = bare.split(';').filter((one) => one.trim() !== '')
  return statements.length > 0 && statements.every((one) => READS_ONLY.test(one) && !NOT_ONLY.test(one))
}
