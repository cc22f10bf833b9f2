/** What words and values of options anywhere in a command say about it, beyond its sub-command. */
import type { CommandClass } from '../../protocol/command.ts'
import { inlineClass } from './command-code.ts'
import { scriptByName } from './command-names.ts'
import type { CommandCall } from './command-row.ts'
import { isFolder, losesFile } from './command-table-files.ts'

/** Options of any program that name a program to run. */
const NAMES_PROGRAM = /^--(wrapper|init-hook|pager|init-command|linker|exec-wrapper)(=|$)|^linker=|extld=/
const PUSHES = /(^|[,=])(push=true|type=registry)\b|^--(push|publish|deploy|upload|pastebin)(=|$)/
const SHOWS_SECRET =
  /connection-string|admin-key|access-key|access-details|get-(instance|compute)-access|appsettings|print-secret|show-token/
/** Tests and dry runs: their words name what is looked at. */
const IS_TEST = /^(test|tests|t|spec|check|lint|-n|--dry-run|--just-print)$|^-?-(k|t|run|grep|tests|testNamePattern)$/
const IS_BUILD = /^(build|test|check|clippy|bench|doc|package|profile|--profile|assemble|compile)$/
/** The value is the name of a test, a message or a pattern. */
const NAMES_TEST =
  /^--?(k|t|m|g|f|run|skip|bench|grep|fgrep|tests|filter|testNamePattern|test-name-pattern|name|example|title|message|format|ignore|exclude|include|files|pattern)(=|$)/
/** An address that contains the code itself. */
const CODE_ADDRESS = /(^|[=\s'",])(data|blob|javascript|php|expect):/i
const LOOKS_LIKE_CODE = /[;`{]|\$\(|=>|::?=|!=|\w\(\s*['"\w]/
/** The program or its source comes from standard input. */
const STANDARD_INPUT = /^(--?[\w-]+=?)?(-|\/dev\/(stdin|fd\/\d+)|\/proc\/.*)$/
/** Builds with one of these empty a folder that another option names. */
const EMPTIES =
  /^--?(basetemp|emptyOutDir|empty-out-dir|clean|output-clean|cleanDestinationDir|clearCache|cache-clear|wipe|clear|coverage\.reportsDirectory|output)(=|$)|^clean$/
const MAX_VALUE = 4000

export function hiddenIn(call: CommandCall, is: CommandClass): CommandClass[] {
  const { args } = call
  const found: CommandClass[] = []
  if (args.some((arg) => NAMES_PROGRAM.test(arg))) found.push('run-programs')
  if (args.some((arg) => PUSHES.test(arg))) found.push('publish')
  const asksStatus = args.includes('auth') && args.includes('status')
  if (args.some((arg) => SHOWS_SECRET.test(arg) || (asksStatus && /^-[a-z]*t/.test(arg)))) found.push('credentials')
  if (is !== 'build') return found
  found.push(...codeIn(call))
  if (emptiesFolder(call)) found.push('lose-work')
  if (args.some((arg) => /^--(clear|wipe|purge)$/.test(arg))) found.push('change')
  if (args.some((arg) => IS_TEST.test(arg))) return found
  const isBuilding = args.some((arg) => IS_BUILD.test(arg))
  const names = args
    .filter((arg) => !/^--?[\w-]+$/.test(arg) && !/[./]\w/.test(arg.replace(/^.*=/, '')))
    .map((arg) => arg.replace(/^-{1,2}[\w-]+[=:]?/, ''))
    .filter((name) => !(isBuilding && name === 'release'))
  return [...found, ...names.map(scriptByName).filter((one) => one === 'publish')]
}

/** A build runs code of the project without approval. Code in its own words or input is not of the project. */
function codeIn({ args, invocation }: CommandCall): CommandClass[] {
  const input = invocation?.input
  if (args.some((arg) => STANDARD_INPUT.test(arg))) return ['run-programs']
  if (input !== undefined && input !== '') return [inlineClass(input) === 'run-programs' ? 'run-programs' : 'unknown']
  // Without a file it reads its source from the pipe.
  if (invocation !== undefined && invocation.feeds.length > 0 && args.every((arg) => arg.startsWith('-')))
    return ['unknown']
  const words = args.filter((arg, i) => !NAMES_TEST.test(arg) && !NAMES_TEST.test(args[i - 1] ?? ''))
  return words.flatMap((word): CommandClass[] => {
    if (word.length > MAX_VALUE || CODE_ADDRESS.test(word)) return ['run-programs']
    if (!isCode(word)) return []
    return [inlineClass(word)]
  })
}

/** `-DX='touch y'` is text for a preprocessor; `--flags="-O2 -g"` are options. */
function isCode(word: string): boolean {
  if (LOOKS_LIKE_CODE.test(word.replace(/\{[\w./,*-]*\}/g, ''))) return true
  const value = /^--?[\w.:-]+=(.*)$/s.exec(word)?.[1] ?? ''
  return /\s/.test(value) && value.split(/\s+/).some((part) => !part.startsWith('-'))
}

function emptiesFolder(call: CommandCall): boolean {
  const { args } = call
  if (!args.some((arg) => EMPTIES.test(arg))) return false
  const values = args.flatMap((arg, i) => {
    const before = args[i - 1] ?? ''
    if (arg.includes('=')) return [arg.replace(/^.*=/s, '')]
    return before.startsWith('-') && !before.includes('=') && !arg.startsWith('-') ? [arg] : []
  })
  const places = values.flatMap((value) => call.placesOf(value))
  return places.some((place) => isFolder(place) && losesFile(place, call.workspace))
}
