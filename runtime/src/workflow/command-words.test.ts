import { describe, expect, test } from 'vitest'
import { fillCommand, ValueNotAWord } from './command-words.ts'

function filled(tool: string, args: unknown, value: string | number): unknown {
  const isAuthors = ({ kind }: { kind: string }) => kind === 'env'
  const lookup = ({ kind }: { kind: string }) => (kind === 'env' ? '-l -a' : value)
  return fillCommand(tool, args, { lookup, isAuthors, place: 'nodes[0].args' })
}
const line = (command: string, value: string | number) =>
  (filled('shell', { command }, value) as { command: string }).command

describe('a value in a command line is one word of it', () => {
  test.each([
    ['cat {{external.f}}', 'docs/读我.md', 'cat docs/读我.md'],
    ['cat {{external.f}}', 'my notes.txt', "cat 'my notes.txt'"],
    ['head -n {{external.n}} a.txt', 5, 'head -n 5 a.txt'],
    ['git commit -m "fix: {{external.m}}"', 'it costs $5 & more', 'git commit -m "fix: it costs \\$5 & more"'],
    ["echo 'so {{external.m}}'", "it's", "echo 'so it'\\''s'"],
    ['cat src/{{external.f}}.ts', 'a b', "cat src/'a b'.ts"],
    ['cd {{external.d}} && ls', 'src/', 'cd src/ && ls'],
    ['echo {{external.m}} > out.txt', '', "echo '' > out.txt"],
    ['ls {{env.OPTIONS}} {{external.d}}', '*', "ls -l -a '*'"],
    ['sed -n 1p {{external.f}}', 'docs/a.txt', 'sed -n 1p docs/a.txt'],
    ['bash -c "cat {{external.f}}"', 'a.txt', 'bash -c "cat a.txt"'],
  ])('%s with %j', (command, value, expected) => {
    expect(line(command, value)).toBe(expected)
  })

  test.each([
    ['{{external.f}}', 'ls'],
    ['./{{external.f}}.sh', 'build'],
    ['env {{external.f}} ls', 'sh'],
    ['cat {{external.f}}', '-n'],
    ['bash -c "cat {{external.f}}"', 'a b'],
    ['for f in {{external.f}}; do cat $f; done', 'a b'],
    ['echo $(cat {{external.f}})', 'x); touch y; echo $(ls'],
    ['echo # {{external.f}}', 'a\ntouch y'],
    ['python3 -c "print({{external.f}})"', '__import__("os")'],
    ['cat {{external.f}}', 'a\0b'],
    ["sed 's/{{external.f}}/y/' a.txt", 'a/b/w'],
    ['find . -name {{external.f}}', '*.txt'],
  ])('%s refuses %j', (command, value) => {
    expect(() => line(command, value)).toThrow(ValueNotAWord)
  })

  test('of git, too: a value is neither its command nor an option', () => {
    const git = (args: unknown, value: string) => filled('git', { args }, value)
    expect(git(['log', '--author={{external.a}}', '{{external.a}}'], 'Ada L.')).toEqual({
      args: ['log', '--author=Ada L.', 'Ada L.'],
    })
    for (const args of [['{{external.a}}'], ['-C', 'x', '{{external.a}}'], '{{external.a}}'])
      expect(() => git(args, 'push')).toThrow(ValueNotAWord)
    expect(() => git(['log', '{{external.a}}'], '--output=x')).toThrow(ValueNotAWord)
  })
})
