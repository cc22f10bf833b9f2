/** Shell builtins. Some of them evaluate their arguments; a builtin without a rule here is a doubt. */

import { why } from '../../i18n/why.ts'
import { exportDoubt } from './environment.ts'
import { type Listener, walkArithmetic } from './expansions.ts'
import type { Arg, Invocation } from './invocation.ts'
import type { Variables } from './variables.ts'

const NAMES = new Set(
  '. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait'.split(
    ' ',
  ),
)
/** They only print, wait or exit, whatever their arguments. */
const INERT = new Set(
  ': break caller continue dirs disown echo exit false fg bg help history fc kill logout pwd return shift suspend times true type ulimit umask unalias'.split(
    ' ',
  ),
)
/** Handled elsewhere: what they start, and the folder they change to. */
const FOLLOWED = new Set('builtin cd command eval exec pushd trap'.split(' '))
/** Programs whose output counts as a plain word. */
const ANSWERS = new Set('nproc whoami id uname date git'.split(' '))
const IDENTIFIER = /^[A-Za-z_]\w*$/

export interface BuiltinListener extends Listener {
  variables: Variables
}

/** A function with this name would change how the line is understood. */
export function isReserved(name: string): boolean {
  return NAMES.has(name) || ANSWERS.has(name) || name === 'command_not_found_handle'
}

export function readBuiltin({ name, args }: Invocation, to: BuiltinListener): void {
  if (!NAMES.has(name) || INERT.has(name) || FOLLOWED.has(name)) return
  const rule = RULES[name]
  if (rule === undefined) to.doubt(why('changesMeaning', { base: name }))
  else rule(args, to)
}

type Rule = (args: readonly Arg[], to: BuiltinListener) => void

const RULES: Record<string, Rule> = {
  '[': testWords,
  test: testWords,
  declare: (args, to) => declareNames('declare', args, to),
  typeset: (args, to) => declareNames('typeset', args, to),
  local: (args, to) => declareNames('local', args, to),
  readonly: (args, to) => declareNames('readonly', args, to),
  export: (args, to) => declareNames('export', args, to),
  let: letWords,
  printf: printWords,
  read: readWords,
  mapfile: listWords,
  readarray: listWords,
  getopts: (args, to) => setName(args[1], 'text', to),
  unset: (args, to) => {
    for (const arg of args) if (!/^-[vf]$/.test(arg.text)) setName(arg, 'text', to)
  },
  set: setWords,
  shopt: shellOptions,
  hash: (args, to) => allowOnly('hash', args, /^(-[rdlt]+|[^-].*)$/s, to),
  jobs: (args, to) => allowOnly('jobs', args, /^(-[lnprs]+|%?\d+)$/, to),
  wait: (args, to) => {
    for (const arg of args) to.variables.requireSingleWord(arg, why('waitSets'))
    if (args.some((arg) => /^-\w*p/.test(arg.text) || (!arg.known && args.length > 1))) to.doubt(why('waitSets'))
  },
  alias: (args, to) => allowOnly('alias', args, /^-p$/, to),
}

function allowOnly(by: string, args: readonly Arg[], allowed: RegExp, to: BuiltinListener): void {
  if (args.some((arg) => !arg.known || !allowed.test(arg.text))) to.doubt(why('changesMeaning', { base: by }))
}

function setName(arg: Arg | undefined, kind: 'number' | 'text' | 'list', to: BuiltinListener): void {
  if (arg === undefined) return
  if (!arg.known || arg.glob) to.doubt(why('nameLater'))
  else to.set(arg.text, kind)
}

const OPERATORS = /^(=|==|!=|<|>|-(eq|ne|lt|le|gt|ge|nt|ot|ef))$/
const UNARY = /^-[abcdefghknoprstuwxzLNOGS]$/

/** `-v` evaluates a subscript, so every word in operator position must be known. */
function testWords(args: readonly Arg[], to: BuiltinListener): void {
  const unclear = why('testLater')
  const words = args.at(-1)?.text === ']' ? args.slice(0, -1) : args
  for (const word of words) to.variables.requireSingleWord(word, unclear)
  for (let i = 0; i < words.length; ) {
    const step = testStep(words.slice(i), words.length)
    if (step === 0) return void to.doubt(unclear)
    i += step
  }
}

/** The number of words in the next part of a test; 0 when that is not certain. */
function testStep([first, second, third]: readonly Arg[], count: number): number {
  if (second?.known === true && third !== undefined && OPERATORS.test(second.text)) return 3
  if (first?.known !== true) return count === 1 ? 1 : 0
  if (second !== undefined && /^([!()]|-[ao])$/.test(first.text)) return 1
  if (second !== undefined && UNARY.test(first.text)) return 2
  if (/^-[vR]$/.test(first.text) && second?.known === true && IDENTIFIER.test(second.text)) return 2
  return count === 1 || !first.text.startsWith('-') ? 1 : 0
}

function declareNames(by: string, args: readonly Arg[], to: BuiltinListener): void {
  const flags = args.filter((arg) => /^[-+]/.test(arg.text))
  if (flags.some((arg) => !/^(-[aArgxpFn]+|--)$/.test(arg.text)) || (by !== 'export' && flags.some(has('n'))))
    to.doubt(why('evaluatesOtherwise', { base: by }))
  const isList = flags.some(has('aA'))
  if (flags.some(has('F'))) return
  for (const arg of args) {
    if (flags.includes(arg)) continue
    const [, name = arg.text, value] = /^(\w+)\+?=(.*)$/s.exec(arg.text) ?? []
    if (!arg.known && value === undefined) to.doubt(why('nameLater'))
    if (isList) to.variables.hasLists = true
    // Bash parses a value in parentheses as a list again, and runs the commands in it.
    if (value !== undefined && (!arg.known || value.startsWith('(')) && !arg.isList) to.variables.fill(by)
    if (by === 'export' || flags.some(has('x'))) {
      const doubt = exportDoubt(name, value === undefined ? undefined : { ...arg, text: value })
      if (doubt !== undefined) to.doubt(doubt)
    }
    if (IDENTIFIER.test(name) || arg.known)
      to.set(name, 'text', value === undefined ? undefined : { ...arg, text: value })
  }
}

function has(letters: string): (arg: Arg) => boolean {
  return ({ text }) =>
    text.startsWith('-') && !text.startsWith('--') && [...letters].some((letter) => text.includes(letter))
}

function letWords(args: readonly Arg[], to: BuiltinListener): void {
  for (const arg of args) {
    if (arg.known) walkArithmetic(arg.text, to)
    else to.doubt(why('letLater'))
  }
}

function printWords(args: readonly Arg[], to: BuiltinListener): void {
  const [first, second] = args
  if (first === undefined) return
  const unclear = why('printfSets')
  const option = /^-v(.*)$/s.exec(first.text)
  to.variables.requireSingleWord(first, unclear)
  if (!first.known) {
    const isText = /^"?[^-$`"'{~*?[\\]/.test(first.text)
    if (args.length > 1 && first.counts === undefined && !isText) to.doubt(unclear)
    if (args.length > 1 && first.counts !== undefined)
      to.variables.requireSingleWord({ ...first, single: false }, unclear)
  } else if (option !== null) setName(option[1] === '' ? second : { ...first, text: option[1] ?? '' }, 'text', to)
}

function readWords(args: readonly Arg[], to: BuiltinListener): void {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]
    if (arg === undefined) break
    if (arg.known && arg.text.startsWith('-')) {
      if (!/^-[ersadinNptu]/.test(arg.text)) to.doubt(why('readOption', { option: arg.text }))
      if (/a$/.test(arg.text)) setName(args[++i], 'list', to)
      else if (/[dinNptu]$/.test(arg.text)) i++
      else if (/a/.test(arg.text.replace(/[dinNptu].*$/s, ''))) to.doubt(why('readOption', { option: arg.text }))
    } else setName(arg, 'text', to)
  }
}

function listWords(args: readonly Arg[], to: BuiltinListener): void {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]
    if (arg === undefined) break
    if (/^-[t]+$/.test(arg.text)) continue
    if (/^-[t]*[dnOsu]$/.test(arg.text)) {
      if (args[++i]?.known !== true) to.doubt(why('mapfileLater'))
    } else if (arg.text.startsWith('-')) to.doubt(why('mapfileRuns', { option: arg.text }))
    else setName(arg, 'list', to)
  }
}

/** Modes that do not change the meaning of words. */
const MODES = /^(errexit|nounset|xtrace|verbose|pipefail|noglob|noclobber|errtrace)$/

function setWords(args: readonly Arg[], to: BuiltinListener): void {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]
    if (arg === undefined || (arg.known && (arg.text === '--' || arg.text === '-'))) return
    const takesName = /^[-+][euxvfCE]*o$/.test(arg.text)
    if (takesName && args[i + 1] !== undefined) {
      if (!MODES.test(args[++i]?.text ?? '')) to.doubt(why('changesReading'))
    } else if (!arg.known || (/^[-+]/.test(arg.text) && !takesName && !/^[-+][euxvfCE]+$/.test(arg.text))) {
      to.doubt(why('changesReading'))
    }
  }
}

function shellOptions(args: readonly Arg[], to: BuiltinListener): void {
  allowOnly(
    'shopt',
    args,
    /^(-[supq]+|nullglob|failglob|globstar|nocaseglob|nocasematch|dotglob|extglob|inherit_errexit)$/,
    to,
  )
}
