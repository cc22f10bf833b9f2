import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readOtherSource, readSource, type SourceFile, SRC } from './source.ts'

const files = readSource()
const byPath = new Map(files.map((file) => [file.path, file]))

/** Left never imports right. Folders of one layer may use each other, but never in a circle. */
const LAYERS = [
  ['base', 'language', 'errors', 'protocol', 'ports', 'i18n', 'config'],
  ['gate', 'journal', 'model', 'inspect'],
  ['storage', 'tool', 'intent'],
  ['context', 'routine'],
  ['agent', 'decision', 'scout'],
  ['outside'],
  ['workflow', 'dispatch', 'replay'],
  ['assembly'],
  ['server', 'cli', 'adapters', 'gateway', ''],
]
const layerOf = (folder: string) => LAYERS.findIndex((layer) => layer.includes(folder))

const ENTRIES = ['index.ts', 'client.ts']

describe('layers', () => {
  test('every folder has its place', () => {
    expect(files.filter((file) => layerOf(file.folder) < 0).map((file) => file.path)).toEqual([])
  })
  test('left never imports right', () => {
    const wrong = files.flatMap((file) =>
      file.imports
        .filter((target) => layerOf(byPath.get(target)?.folder ?? '') > layerOf(file.folder))
        .map((target) => `${file.path} → ${target}`),
    )
    expect(wrong).toEqual([])
  })
  test('every relative import leads somewhere', () => {
    const lost = files.flatMap((file) =>
      file.imports.filter((t) => !existsSync(join(SRC, t))).map((t) => `${file.path} → ${t}`),
    )
    expect(lost).toEqual([])
  })
  test('no import goes in a circle, types included', () => {
    expect(findCycle(files)).toEqual([])
  })
  test('protocol is a leaf', () => {
    const leaks = files
      .filter((file) => file.folder === 'protocol')
      .flatMap((file) => [...file.packages, ...file.imports.filter((target) => !target.startsWith('protocol/'))])
    expect(leaks).toEqual([])
  })
  test('language imports only base', () => {
    const leaks = files
      .filter((file) => file.folder === 'language')
      .flatMap((file) => [...file.packages, ...file.imports.filter((target) => !/^(?:language|base)\//.test(target))])
    expect(leaks).toEqual([])
  })
  test('the entries of the package are the only barrels', () => {
    const reexports = files.filter(
      (file) => !ENTRIES.includes(file.path) && /\nexport \* from|\nexport \{[^}]*\} from/.test(file.text),
    )
    expect(reexports.map((file) => file.path)).toEqual([])
  })
})

describe('law', () => {
  const offenders = (pattern: RegExp, allowed: (path: string) => boolean) =>
    files.filter((file) => !allowed(file.path) && pattern.test(file.text)).map((file) => file.path)

  test('the gate is pure: no clock, no chance, no system', () => {
    const gate = files.filter((file) => file.folder === 'gate')
    expect(gate.flatMap((file) => file.packages)).toEqual([])
    const impure = /\bDate\.now\b|\bnew Date\b|\bMath\.random\b|\bprocess\.|\bfetch\(|\bawait\b/
    expect(gate.filter((file) => impure.test(file.text)).map((file) => file.path)).toEqual([])
  })
  test('only execute.ts makes a tool act', () => {
    expect(offenders(/\btool\.execute\(/, (path) => path === 'tool/execute.ts')).toEqual([])
  })
  test('X-BUDGET-4: only retry.ts calls a model, with a meter that pays for it', () => {
    const wrappers = ['model/retry.ts', 'model/recorder.ts', 'model/providers.ts']
    expect(offenders(/\b(?:model|whole|streamed|own|other)\)?\.ask\(/, (path) => wrappers.includes(path))).toEqual([])
  })
  test('only the gate mints a writ', () => {
    expect(offenders(/\bmint\(|new Writ\(/, (path) => path === 'gate/gate.ts' || path === 'gate/writ.ts')).toEqual([])
  })
  test('a tool’s body comes out for a writ alone, and only to execute.ts', () => {
    expect(offenders(/\bopenWith\(/, (path) => path === 'tool/execute.ts' || path === 'tool/sealed.ts')).toEqual([])
  })
  test('only the two executors spend a writ', () => {
    const executors = ['tool/sealed.ts', 'decision/execute.ts']
    expect(offenders(/\bWrit\.spend\(/, (path) => executors.includes(path))).toEqual([])
  })
  test('a data folder is opened by the two files that look at where it came from, and by none around them', () => {
    const doors = ['storage/acting.ts', 'storage/reading.ts', 'storage/open.ts', 'storage/backup.ts']
    expect(offenders(/\bopenDatabase\(|\bopenStore\(/, (path) => doors.includes(path))).toEqual([])
    const files = ['acting', 'foreign', 'new-store', 'open', 'sqlite'].map((name) => `storage/${name}.ts`)
    expect(offenders(/\bopenSqlite\(/, (path) => files.includes(path))).toEqual([])
    const drivers = ['storage/sqlite.ts', 'storage/backup.ts']
    expect(offenders(/\bDatabaseSync\(/, (path) => drivers.includes(path))).toEqual([])
    expect(offenders(/as ActingDatabase\b/, (path) => path === 'storage/acting.ts')).toEqual([])
  })
  test('S4-150: only the scouts’ orchestrator starts work on the proof of a used writ', () => {
    const allowed = (path: string) => path === 'scout/orchestrator.ts'
    expect(offenders(/\bWrit\.provesSpent\(/, allowed)).toEqual([])
    expect(offenders(/\brunScout\(/, (path) => allowed(path) || path === 'scout/runner.ts')).toEqual([])
  })
  test('only decision/execute.ts makes an action happen', () => {
    const allowed = (path: string) => path === 'decision/execute.ts' || path.startsWith('decision/executors/')
    const executors = /executors\/(?:prefetch-file|pre-warm-process|keep-alive|release-memory)\.ts'/
    expect(offenders(executors, allowed)).toEqual([])
  })
  test('a run begins, and its log continues, in one place', () => {
    const allowed = (path: string) => path === 'journal/run-lifecycle.ts'
    expect(offenders(/\bnote\(\s*'run\.started'/, allowed)).toEqual([])
    expect(offenders(/\bnew RunLog\([^()]*,[^()]*\{[^()]*\},[^()]*\)/, allowed)).toEqual([])
    expect(offenders(/\.readRun\([^()]*, 0, 1\)/, (path) => path === 'journal/read.ts')).toEqual([])
  })
  test('only the journal appends to the store', () => {
    expect(
      offenders(/store\.append\(/, (path) => path.startsWith('storage/') || path === 'journal/journal.ts'),
    ).toEqual([])
  })
})

describe('sizes', () => {
  const everything = [...files, ...readOtherSource()]

  test('the limits hold for every folder of source', () => {
    for (const folder of ['agent/', 'console/src/', 'scripts/', 'bench/', 'examples/', 'runtime/bin/']) {
      expect(everything.filter(({ path }) => path.startsWith(folder)).length, folder).toBeGreaterThan(0)
    }
  })
  test('no source file is longer than 400 lines, the loop than 200', () => {
    const long = everything
      .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
      .filter(({ path, lines }) => lines > (path === 'agent/run.ts' ? 200 : 400))
    expect(long).toEqual([])
  })
  test('no function is longer than 100 lines', () => {
    const long = everything.flatMap(({ path, text }) =>
      functionsIn(text)
        .filter(({ lines }) => lines > 100)
        .map(({ line, lines }) => `${path}:${line}: ${lines}`),
    )
    expect(long).toEqual([])
  })
})

const FUNCTION = /\bfunction\b.*[({]$|=> \(?\{$|\)(?:: .*)? \{$/
const STATEMENT = /^\s*(?:\} )?(?:if|else|for|while|switch|try|catch|do|class|interface)\b/

/** Relies on the formatter: a function ends at the first line with its indentation that only closes it. */
function functionsIn(text: string): { line: number; lines: number }[] {
  const lines = text.split('\n')
  return lines.flatMap((start, at) => {
    if (!FUNCTION.test(start) || STATEMENT.test(start)) return []
    const indent = /^\s*/.exec(start)?.[0] ?? ''
    const length = lines.slice(at).findIndex((line) => line.startsWith(`${indent}}`) && /^\s*\}[)\],;]*$/.test(line))
    return length < 0 ? [] : [{ line: at + 1, lines: length + 1 }]
  })
}

/** The first circle found, as a list of paths; empty when there is none. */
function findCycle(all: readonly SourceFile[]): string[] {
  const done = new Set<string>()
  const visit = (path: string, trail: string[]): string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (done.has(path)) return []
    for (const target of byPath.get(path)?.imports ?? []) {
      const cycle = visit(target, [...trail, path])
      if (cycle.length > 0) return cycle
    }
    done.add(path)
    return []
  }
  for (const file of all) {
    const cycle = visit(file.path, [])
    if (cycle.length > 0) return cycle
  }
  return []
}
