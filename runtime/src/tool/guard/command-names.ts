/** What the name of a sub-command, a script or a target says about it. */
import type { CommandClass } from '../../protocol/command.ts'

const ALWAYS_ASKED: Partial<Record<CommandClass, string>> = {
  publish:
    'publish unpublish send notify tweet push deploy deployment release released upload promote ship submit merge yank deprecate rollout announce',
  remote: 'apply destroy terminate migrate migration rollback provision teardown seed restore failover scale drain',
  'lose-work': 'delete remove rm drop prune purge reset wipe nuke erase expunge uninstall truncate flush obliterate',
  credentials:
    'token login logout signin secret secrets credential credentials password passwd rotate revoke adduser keygen decrypt',
  pay: 'pay payment purchase buy order checkout charge charges subscribe invoice refund payout',
  'run-programs': 'eval',
}
const CHANGING =
  'clean clear distclean clobber realclean mrproper fix format fmt write generate gen codegen install setup bootstrap update upgrade bump version init sync add prepare link create new'

const byWord: ReadonlyMap<string, CommandClass> = new Map([
  ...CHANGING.split(' ').map((word): [string, CommandClass] => [word, 'change']),
  ...Object.entries(ALWAYS_ASKED).flatMap(([is, words]) =>
    words.split(' ').map((word): [string, CommandClass] => [word, is as CommandClass]),
  ),
])
/** What a test is about, rather than what it does: `test:login`. */
const TOPICS =
  /^(order|payment|checkout|login|logout|token|password|secret|secrets|credential|credentials|charge|invoice|refund|merge|push|migration|migrate|flush|restore|scale|send|notify)$/
const TESTING = /^(test|tests|spec|e2e|lint|bench|typecheck|unit)$/
/** A build in release mode publishes nothing. */
const BUILDING = /^(build|assemble|bundle|compile|test|lint|check|package)$/
/** Sub-commands that run code or programs that their words name. */
export const STARTS_CODE = /^(exec|shell|shell_plus|dbshell|console|repl|tinker|runner)$/
/** Scripts that only look: `format:check`, `fmt-check`, `test:migrations`. */
const CHECKING = /^(check|test|tests|lint|verify|validate|dry|ci)$/

/** The class of a sub-command that no table lists; `unknown` when its name says nothing. */
export function verbByName(verb: string): CommandClass {
  if (STARTS_CODE.test(verb)) return 'run-programs'
  const found = partsOf(verb).map((part) => byWord.get(part))
  return found.find((is) => is !== undefined && is !== 'change') ?? 'unknown'
}

/** The class of a project's own script or target: `build`, unless its name says more. */
export function scriptByName(script: string): CommandClass {
  const parts = partsOf(script)
  const isTest = TESTING.test(parts[0] ?? '')
  const isBuild = parts.some((part) => BUILDING.test(part))
  const meant = parts.filter((part) => !(isTest && TOPICS.test(part)) && !(isBuild && part === 'release'))
  const found = meant.map((part) => byWord.get(part)).filter((is) => is !== undefined)
  const asked = found.find((is) => is !== 'change')
  if (asked !== undefined) return asked
  return found.length > 0 && !parts.some((part) => CHECKING.test(part)) ? 'change' : 'build'
}

/** `db:migrate`, `deployProd` and `clean_all.sh` name their parts. */
function partsOf(name: string): string[] {
  return name
    .replace(/\.\w{1,4}$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
}
