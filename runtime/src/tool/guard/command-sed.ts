/** Scripts for sed: read command by command. What is not understood is code. */
import type { CommandClass } from '../../protocol/command.ts'
import { type Given, readOptions } from './option-list.ts'

const MAX_CODE = 4000
const OPTIONS =
  'nrEsuzi?e:l: --quiet --silent --regexp-extended --separate --unbuffered --null-data --zero-terminated --in-place? --expression= --line-length= --posix --debug --follow-symlinks --sandbox'

export interface SedCall {
  scripts: string[]
  inPlace: boolean
}

/** The scripts among the arguments of sed; undefined with options that are not known here, such as a script file. */
export function sedCall(args: readonly string[]): SedCall | undefined {
  const { words, given, unknown } = readOptions(args, OPTIONS)
  if (unknown !== undefined) return undefined
  const scripts = scriptsIn(given)
  // Some seds take no options after the first word: then that word is the script.
  const isFirst = scriptsIn(readOptions(args, OPTIONS, { leading: true }).given).length === 0
  return {
    scripts: [...scripts, ...(isFirst ? words.slice(0, 1) : [])],
    inPlace: given.some(({ name }) => name === 'i' || name === 'in-place'),
  }
}

function scriptsIn(given: readonly Given[]): string[] {
  return given.filter(({ name }) => name === 'e' || name === 'expression').map(({ value = '' }) => value)
}

/** Brackets that contain the mark that ends the pattern are not the same in every sed. */
function pattern(mark: string): string {
  const end = RegExp.escape(mark)
  return `(?:(?!${end})[^\\\\\\n[]|\\\\[^\\n]|\\[\\^?(?:\\[:\\w+:\\]|(?!${end})[^\\]\\\\\\n[])+\\])*`
}

const MARK = '[^\\w\\s\\\\[\\]]'
const ADDRESS = /^(\d+(~\d+)?|\$)/

/** `unknown` at the first command that writes, runs, or is not understood. */
export function sedClass(script: string): CommandClass {
  if (script.length > MAX_CODE) return 'unknown'
  let rest = script
  const skip = (expected: RegExp): boolean => {
    const found = expected.exec(rest)
    if (found !== null) rest = rest.slice(found[0].length)
    return found !== null
  }
  const skipAddress = (): boolean => {
    if (skip(ADDRESS)) return true
    const mark = rest.startsWith('/') ? '/' : (new RegExp(`^\\\\(${MARK})`).exec(rest)?.[1] ?? '')
    if (mark === '') return false
    return skip(new RegExp(`^\\\\?${RegExp.escape(mark)}${pattern(mark)}${RegExp.escape(mark)}[IM]*`))
  }
  const skipPair = (command: string, first: (mark: string) => string, flags: string): boolean => {
    const mark = new RegExp(`^${command}(${MARK})`).exec(rest)?.[1]
    if (mark === undefined) return false
    const end = RegExp.escape(mark)
    return skip(new RegExp(`^${command}${end}${first(mark)}${end}${text(mark)}${end}${flags}(?=$|[\\s;}])`))
  }
  while (skip(/^[\s;{}]+/) || rest !== '') {
    if (rest === '') break
    if (skipAddress()) {
      skip(/^[ \t]+/)
      if (skip(/^,[ \t]*/) && !skipAddress() && !skip(/^[+~]\d+/)) return 'unknown'
    }
    skip(/^[ \t]*!?[ \t]*/)
    const isPlain =
      skip(/^[{}]/) ||
      skipPair('s', pattern, '[gpiIm\\d]*') ||
      skipPair('y', text, '') ||
      skip(/^[pdDPgGhHnNxlqQ=zF][ \t]*\d*(?=$|[\s;}])/) ||
      skip(/^[btT:][ \t]*\w*(?=$|[\s;}])/) ||
      skip(/^[aic](?![\w\\])[^\n\\]*(?=$|\n)/)
    if (!isPlain) return 'unknown'
  }
  return 'read'
}

/** A backslash at the end of a line continues it: that is not read here. */
function text(mark: string): string {
  return `(?:(?!${RegExp.escape(mark)})[^\\\\\\n]|\\\\[^\\n])*`
}
