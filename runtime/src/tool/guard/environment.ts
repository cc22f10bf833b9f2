/** Which variables a line may set: most of those that programs see can make them run, read or write something else. */

import { why } from '../../i18n/why.ts'
import type { Why } from '../../protocol/why.ts'
import type { Arg } from './invocation.ts'

const WORDS = /^[\w.,:*=+@%-]*$/
const PLACE_NAME = /^[\w+-]+(\/[\w+-]+)*$/
const LOCALE = /^[\w.@-]*$/

/** These only change how programs print and how much they check. */
const HARMLESS: Record<string, RegExp> = {
  ...Object.fromEntries(
    'CI CLICOLOR CLICOLOR_FORCE COLUMNS CARGO_TERM_COLOR CGO_ENABLED DEBIAN_FRONTEND DEBUG FORCE_COLOR GIT_TERMINAL_PROMPT GOARCH GOOS HUSKY LINES LOG_LEVEL NODE_ENV NODE_NO_WARNINGS NO_COLOR NO_UPDATE_NOTIFIER PORT PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONIOENCODING PYTHONUNBUFFERED PYTHONUTF8 RAILS_ENV RUST_BACKTRACE RUST_LOG RUST_TEST_THREADS CARGO_INCREMENTAL GO111MODULE DJANGO_SETTINGS_MODULE SPRING_PROFILES_ACTIVE AWS_REGION AWS_DEFAULT_REGION TF_LOG TF_IN_AUTOMATION DOCKER_BUILDKIT COMPOSE_PROJECT_NAME SOURCE_DATE_EPOCH VERBOSE'
      .split(' ')
      .map((name) => [name, WORDS]),
  ),
  TZ: PLACE_NAME,
  // With a category, Python imports the module that is named.
  PYTHONWARNINGS: /^(default|error|always|module|once|ignore)$/,
  NODE_OPTIONS: /^--max[-_]old[-_]space[-_]size=\d+$/,
  RUSTFLAGS: /^(-[DWA] ?[\w:-]+ ?)+$/,
  GOFLAGS: /^-mod=(mod|vendor|readonly)$/,
  GH_PAGER: /^(cat)?$/,
  AWS_PAGER: /^(cat)?$/,
  LANG: LOCALE,
  LANGUAGE: /^[\w.@:-]*$/,
  GIT_PAGER: /^(cat)?$/,
  PAGER: /^(cat)?$/,
}
/** Settings of an application, by what their names end with. */
const SWITCH = /^[A-Z][A-Z0-9]*_(ENV|LEVEL|MODE|DEBUG|TIMEOUT|WORKERS|THREADS|COLOR|VERBOSE|SEED|PORT)$/
/**
 * Variables with a meaning for the shell, or already in the environment of every command: setting one affects the
 * programs of the line, exported or not.
 */
const OWN_MEANING =
  /^(PATH|IFS|ENV|HOME|PWD|OLDPWD|CDPATH|SHELL|USER|LOGNAME|TERM|TMPDIR|SHELLOPTS|BASHOPTS|GLOBIGNORE|GLOBSORT|EXECIGNORE|FIGNORE|FUNCNEST|FUNCNAME|FCEDIT|PS[0-4]|PROMPT_\w+|BASH\w*|COMP_\w+|COMPREPLY|DIRSTACK|HIST\w+|histchars|HOSTFILE|IGNOREEOF|INPUTRC|MAIL\w*|OPT(IND|ARG|ERR)|POSIXLY_CORRECT|READLINE_\w+|TIMEFORMAT|TEXTDOMAIN\w*|TMOUT|auto_resume|LD_\w+|DYLD_\w+|GIT_\w+|SSH_\w+|\w*PAGER|EDITOR|VISUAL|BROWSER|LESS\w*|NODE_\w+|JAVA_\w+|PYTHON\w+|PERL5?\w*|RUBY\w+|NPM_\w+|npm_\w+|XDG_\w+|\w*_(PROXY|proxy)|(RANDOM|SRANDOM|SECONDS|LINENO|EPOCH\w+|UID|EUID|PPID|GROUPS|REPLY|_))$/
/** Whole numbers that bash sets itself. */
const OWN_NUMBERS = /^(RANDOM|SRANDOM|SECONDS|LINENO|EPOCHSECONDS|UID|EUID|PPID|BASHPID|OPTIND)$/

/** Why this variable must not be set for a program; undefined when it may be. */
export function exportDoubt(name: string, value: Arg | undefined): Why | undefined {
  const byName = /^LC_[A-Z]+$/.test(name) ? LOCALE : SWITCH.test(name) && !OWN_MEANING.test(name) ? WORDS : undefined
  const allowed = Object.hasOwn(HARMLESS, name) ? HARMLESS[name] : byName
  if (allowed === undefined) return why('setsForPrograms', { name })
  if (value?.known !== true || value.glob || !allowed.test(value.text)) return why('notPlainValue', { name })
  return undefined
}

/** Why this shell variable must not be set. */
export function variableDoubt(name: string, kind: 'number' | 'text' | 'list', value?: Arg): Why | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name)) return why('variableLater', { text: JSON.stringify(name.slice(0, 40)) })
  if (exportDoubt(name, value) === undefined) return undefined
  const isKnown = OWN_MEANING.test(name) || Object.hasOwn(HARMLESS, name) || name.startsWith('LC_')
  if (!isKnown || name === 'REPLY' || (kind === 'number' && OWN_NUMBERS.test(name))) return undefined
  return why('changesNames', { name })
}

export function isOwnNumber(name: string): boolean {
  return OWN_NUMBERS.test(name)
}
