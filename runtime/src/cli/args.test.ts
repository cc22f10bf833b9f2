import { describe, expect, test } from 'vitest'
import { WritError } from '../base/errors.ts'
import { parseArgs } from './args.ts'
import { en } from './texts-en.ts'

const parse = (...argv: string[]) => parseArgs(argv, en)

function refusal(...argv: string[]): WritError {
  try {
    parse(...argv)
  } catch (error) {
    if (error instanceof WritError) return error
  }
  throw new Error(`writ ${argv.join(' ')} was accepted`)
}

describe('what was typed', () => {
  test('flags may stand before and after the verb', () => {
    const { verb, words, values, switches } = parse('--json', '--data=d', 'run', 'do it', '--script', 's.json')
    expect(verb?.name).toBe('run')
    expect(words).toEqual(['do it'])
    expect(values).toEqual({ data: 'd', script: 's.json' })
    expect([...switches]).toEqual(['json'])
  })

  test('a verb may have two words', () => {
    expect(parse('config', 'check', 'f.json')).toMatchObject({ verb: { name: 'config check' }, words: ['f.json'] })
  })

  test('what follows -- is words, and a lone dash is one', () => {
    expect(parse('run', '--', '--json', '-x').words).toEqual(['--json', '-x'])
    expect(parse('run', '-').words).toEqual(['-'])
  })

  test.each([
    [['rnu', 'x'], 'there is no verb "rnu"', 'Did you mean writ run?'],
    [['config'], 'something is missing: writ config check|show|schema|init|migrate', 'writ config check'],
    [['config', 'shwo'], 'there is no verb "config shwo"', 'writ config show'],
    [['run', '--scirpt', 'x', 'y'], 'there is no flag --scirpt', '--script'],
    [['run', '-5 plus 3'], 'there is no flag -5 plus 3', '"--"'],
    [['run', '--script'], '--script needs a value', 'writ --help'],
    [['run', 'x', '--script', '--json'], '--script needs a value', 'writ --help'],
    [['run', '--yes=1', 'x'], '--yes takes no value', 'writ --help'],
    [['trace', '--script', 'x'], 'writ trace has no flag --script', 'run, resume'],
    [['run'], 'something is missing', 'writ run --help'],
    [['trace', 'a', 'b'], 'no use for "b"', 'writ trace --help'],
  ])('%j is refused with a fact and a hint', (argv, fact, hint) => {
    const error = refusal(...argv)
    expect(error.code).toBe('USAGE')
    expect(error.message).toContain(fact)
    expect(error.hint).toContain(hint)
  })
})
