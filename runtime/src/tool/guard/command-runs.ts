/** Classes of programs that run scripts, code or other programs. */
import type { CommandClass } from '../../protocol/command.ts'
import { inlineClass } from './command-code.ts'
import { STARTS_CODE, scriptByName, verbByName } from './command-names.ts'
import { ANY, type CommandCall, type CommandRow, option, worst } from './command-row.ts'
import { hasOption, optionIn, partWords, type Spelling } from './options.ts'

interface Interpreter {
  takes: Spelling
  /** Its value is code. */
  code: Spelling
  /** It only checks the script's form, or prints about itself. */
  reads?: Spelling
  tests?: Spelling
}

/** `python x.py` runs a script of the project; `python -c …` runs whatever is written there. */
export function interpreter({ takes, code, reads = {}, tests = {} }: Interpreter): CommandRow {
  return {
    is: 'unknown',
    allows: ANY,
    check(call) {
      const { args, invocation } = call
      const { words, options } = leading(args, takes, code)
      const at = args.findIndex((arg) => options.includes(arg) && optionIn(arg, code) !== undefined)
      if (at >= 0) {
        const value = optionIn(args[at] ?? '', code)
        return inlineClass(value === '' || value === undefined ? (args[at + 1] ?? '') : value)
      }
      if (hasOption(options, reads)) return 'read'
      if (hasOption(options, tests)) return 'build'
      const [script] = words
      if (script === undefined || script === '-')
        return invocation?.input === undefined ? 'unknown' : inlineClass(invocation.input)
      const tool = packageTool(script)
      if (tool === undefined) return scriptClass(words)
      return worst(['build', call.classOf([tool, ...args.slice(args.indexOf(script) + 1)])])
    },
  }
}

/** `node node_modules/.bin/tsc` and `node node_modules/typescript/bin/tsc` start a tool by its file. */
function packageTool(script: string): string | undefined {
  const [, own] = /(?:^|\/)(?:node_modules\/\.bin|vendor\/bin|\.?venv\/bin)\/([^/]+)$/.exec(script) ?? []
  const [, owner, file = ''] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(.*)$/.exec(script) ?? []
  if (own !== undefined) return own
  if (owner === undefined) return undefined
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.[cm]?js$/, '')
  return /^(index|bin|cli|main|run)$/.test(name) || name === '' ? owner : name
}

/** A tool whose words, after its own options, are the command it starts: `c8 mocha`, `cross-env A=1 jest`. */
export function launcher(takes: Spelling, verbs = /^$/): CommandRow {
  return {
    is: 'build',
    check(call) {
      const { args } = call
      let at = 0
      while (at < args.length && (/^-/.test(args[at] ?? '') || /^\w+=/.test(args[at] ?? ''))) {
        if (args[at] === '--') {
          at++
          break
        }
        at += optionIn(args[at] ?? '', takes) === '' && !(args[at] ?? '').includes('=') ? 2 : 1
      }
      const [first = ''] = args.slice(at)
      return first === '' || verbs.test(first) ? 'build' : worst(['build', call.classOf(args.slice(at))])
    },
  }
}

/** Options up to the script; what follows belongs to the script. */
function leading(args: readonly string[], takes: Spelling, code: Spelling): { options: string[]; words: string[] } {
  const options: string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (arg === '--' || !arg.startsWith('-') || arg === '-')
      return { options, words: args.slice(arg === '--' ? i + 1 : i).filter((word) => !/^-./.test(word)) }
    options.push(arg)
    if (optionIn(arg, code) !== undefined) break
    if (optionIn(arg, takes) === '' && !arg.endsWith('=')) i++
  }
  return { options, words: [] }
}

/** A script of the project, judged by its name and its first word: `./manage.py migrate`, `scripts/deploy.sh`. */
export function scriptClass([script = '', ...words]: readonly string[]): CommandClass {
  if (/^(https?|jsr|npm|data):/i.test(script)) return 'run-programs'
  if (/^[/~]|(^|\/)\.\.(\/|$)/.test(script)) return 'unknown'
  const named = scriptByName(script.slice(script.lastIndexOf('/') + 1))
  const [verb = ''] = words.filter((word) => /^[a-z][\w:-]*$/i.test(word))
  if (words.some((word) => STARTS_CODE.test(word))) return 'run-programs'
  const asked = verb === '' ? 'unknown' : verbByName(verb)
  return worst([named, asked === 'unknown' ? 'build' : asked])
}

const STDIN = /^(-[a-zA-Z]*|--[\w-]+=)?(-|\/dev\/(stdin|fd\/\d+)|\/proc\/.*)$/
const DRY = /^(-[a-zA-Z]*[nq]|--(dry-run|just-print|recon|question|list|summary|show|version|help|tasks)|-[lT])$/

/** Targets of a build tool, by their names. A dry run still evaluates the file that defines them. */
export function targets(takes: Spelling, row: Partial<CommandRow> = {}): CommandRow {
  return {
    is: 'build',
    ...row,
    check({ args }) {
      const { words, options } = partWords(args, takes)
      const values = words.filter((word) => /^[\w.-]+\s*(:{0,3}|[?+!])=/.test(word))
      // A variable can contain commands.
      const isOdd = (word: string): boolean =>
        /^(SHELL|MAKEFLAGS|\.SHELLFLAGS)\b/.test(word) || !/^[\w.=:,/@%+-]*$/.test(word)
      // A build file from standard input is code of the line.
      if (words.some(isOdd) || args.some((arg) => STDIN.test(arg))) return 'run-programs'
      if (options.some((option) => DRY.test(option))) return 'build'
      return worst(['build', ...words.filter((word) => !values.includes(word)).map(scriptByName)])
    },
  }
}

/** `npx tsc`, `uv run pytest`, `bundle exec rspec`: the class of the tool, if it is known by name. */
export function startedTool(
  call: CommandCall,
  words: readonly string[],
  isTool: (name: string) => boolean,
): CommandClass {
  const [tool = ''] = words
  if (tool === '') return 'unknown'
  // `tsc@latest` and `user/repository` are downloaded.
  if (/.@|[:/]/.test(tool) && !tool.startsWith('./')) return 'run-programs'
  return isTool(tool) ? call.classOf(words) : 'run-programs'
}

export const PYTHON: Spelling = { letters: 'WXQ', long: 'check-hash-based-pycs' }

/** `coverage run -m pytest` and `python -m cProfile -m pytest` start another module. */
export function startedModule({ args, classOf }: CommandCall): CommandClass {
  const module: Spelling = { letters: 'm', long: 'module' }
  const at = args.findIndex((arg) => optionIn(arg, module) !== undefined)
  if (at < 0) return args.some((arg) => STARTS_CODE.test(arg)) ? 'run-programs' : 'build'
  return worst([
    'build',
    classOf(
      ['python', '-m', optionIn(args[at] ?? '', module) || '', ...args.slice(at + 1)].filter((word) => word !== ''),
    ),
  ])
}

/** The words from `-m` on: the module and its arguments. */
export function moduleOf(args: readonly string[]): string[] | undefined {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (!arg.startsWith('-') || arg === '-') return undefined
    if (optionIn(arg, { letters: 'c', valued: 'mWXQ' }) !== undefined) return undefined
    const module = optionIn(arg, { letters: 'm', valued: 'cWXQ' })
    if (module !== undefined) return module === '' ? args.slice(i + 1) : [module, ...args.slice(i + 1)]
    if (optionIn(arg, PYTHON) === '') i++
  }
  return undefined
}

/** `uv run pytest`, `bundle exec rspec`. */
export function runTool(call: CommandCall, verb: string, isTool: (name: string) => boolean): CommandClass {
  const at = call.args.indexOf(verb)
  if (at < 0) return 'read'
  let rest = call.args.slice(at + 1)
  while (
    /^(--(frozen|locked|no-sync|all-extras|all-groups|isolated|dev|extra|group|package|python|only-group)|-[qp])(=|$)/.test(
      rest[0] ?? '',
    )
  )
    rest = rest.slice(/^--(extra|group|package|python|only-group)$|^-p$/.test(rest[0] ?? '') ? 2 : 1)
  if (hasOption(rest.slice(0, 1), { long: 'with with-requirements with-editable script', letters: 'w' }))
    return 'run-programs'
  const [first = ''] = rest
  if (/\.(py|rb)$/.test(first)) return scriptClass(rest)
  return first.startsWith('-') || first === '' ? 'unknown' : startedTool(call, rest, isTool)
}

/** Checks by default, changes files with these options. */
export const fixes = (long: string, letters = ''): CommandRow => ({
  is: 'build',
  options: [option('change', { long, letters })],
})
