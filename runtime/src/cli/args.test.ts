import { describe, expect, test } from 'vitest'
import { WritError } from '../errors/writ-error.ts'
import { parseArgs } from './args.ts'

const parse = (...argv: string[]) => parseArgs(argv)

function usageError(...argv: string[]): WritError {
  try {
    parse(...argv)
  } catch (error) {
    if (error instanceof WritError) return error
  }
  throw new Error(`writ ${argv.join(' ')} was accepted`)
}

describe('the command line', () => {
  test('flags can come before and after the verb', () => {
    const { verb, words, values, switches } = parse('--json', '--data=d', 'run', 'do it', '--script', 's.json')
    expect(verb?.name).toBe('run')
    expect(words).toEqual(['do it'])
    expect(values).toEqual({ data: 'd', script: 's.json' })
    expect([...switches]).toEqual(['json'])
  })

  test('a verb can have two words', () => {
    expect(parse('config', 'check', 'f.json')).toMatchObject({ verb: { name: 'config check' }, words: ['f.json'] })
  })

  test('everything after -- is a word, and so is a single dash', () => {
    expect(parse('run', '--', '--json', '-x').words).toEqual(['--json', '-x'])
    expect(parse('run', '-').words).toEqual(['-'])
  })

  test.each([
    [['rnu', 'x'], 'unknown command "rnu"', 'Did you mean writ run?'],
    [['config'], 'missing argument: writ config check|show|schema|init|migrate', 'writ config check'],
    [['config', 'shwo'], 'unknown command "config shwo"', 'writ config show'],
    [['run', '--scirpt', 'x', 'y'], 'unknown flag --scirpt', '--script'],
    [['run', '-5 plus 3'], 'unknown flag -5 plus 3', '"--"'],
    [['run', '--script'], '--script needs a value', 'writ --help'],
    [['run', 'x', '--script', '--json'], '--script needs a value', 'writ --help'],
    [['run', '--yes=1', 'x'], '--yes takes no value', 'writ --help'],
    [['trace', '--script', 'x'], 'writ trace has no flag --script', 'run, resume'],
    [['run'], 'missing argument', 'writ run --help'],
    [['trace', 'a', 'b'], 'unexpected argument "b"', 'writ trace --help'],
  ])('%j is a usage error with a hint', (argv, message, hint) => {
    const error = usageError(...argv)
    expect(error.code).toBe('USAGE')
    expect(error.message).toContain(message)
    expect(error.hint).toContain(hint)
  })
})
