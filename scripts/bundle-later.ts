/**
 * What the first model request does not need is in files of its own, which are loaded at the first call. For the other
 * files, each function of such a module is replaced by one that loads the file and calls the real one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'rolldown'

const SOURCES = join(import.meta.dirname, '../runtime/src')

/** Each may import the ones before it directly. */
export const LATER = {
  // Judges, executes and inspects a call.
  act: [
    /^(?:gate|inspect|tool\/(?:edit|guard|media|undo))\//,
    /^tool\/(?:error-text|execute|gather|infer|schema-check)\.ts$/,
    /^agent\/(?:approvals?|child|claims|explain|narrowing|question|quoted-calls|recording|review(?:-case|-prompt)?|settle|shadow|summarise|withhold)\.ts$/,
  ],
  // Other kinds of runs.
  parts: [
    /^(?:decision|routine|scout|workflow)\//,
    /^context\/docs/,
    /^storage\/migrations\//,
    /^tool\/browser\//,
    /^assembly\/rule-notes\.ts$/,
    /^cli\/commands\/(?:decide|workflow)\.ts$/,
  ],
}

/** Of these folders, what is needed at once, or has exports that are not functions. */
export const NOW: readonly RegExp[] = [
  /^gate\/(?:capability|opt-out|scout-limits|writ|rules\/built-in)\.ts$/,
  /^tool\/guard\/(?:autorun-files|connect|git-config|git-repository|paths|planted-files|sandbox-trial|system-programs)\.ts$/,
  /^tool\/(?:edit\/text|media\/media-type|undo\/recorder)\.ts$/,
  /^agent\/(?:summarise|withhold)\.ts$/,
  /^scout\/(?:concurrency|contracts|explore-tool|orchestrator|profile|report-tool|scouting|texts|trigger-policy)\.ts$/,
  /^routine\/(?:routines|timer)\.ts$/,
  /^workflow\/(?:invalid|nodes\/.*)\.ts$/,
  /^decision\/machine\.ts$/,
  /^context\/docs(?:-extractor|-refresh|-walk)?\.ts$/,
  /^tool\/browser\/(?:chromium|closing|tools)\.ts$/,
]

const DOOR = '\0door:'
const STUB = '\0later:'
const LOADER = '\0later'
/** Not in the names of stubs: other plugins recognize sources by it. */
const EXTENSION = '.ts'

/** What the bundle loads later; each file exports the modules that others call. */
export const LATER_ENTRIES = Object.fromEntries(Object.keys(LATER).map((name) => [`later-${name}`, `${DOOR}${name}`]))

export const loadedLater: Plugin = {
  name: 'loaded-later',
  resolveId(target, importer, { kind }) {
    if (target.startsWith('\0')) return target
    if (importer === undefined || kind === 'dynamic-import' || !target.startsWith('.')) return undefined
    const [from, to] = [relative(SOURCES, importer), relative(SOURCES, join(dirname(importer), target))]
    return !from.startsWith('..') && isLater(to, from) ? `${STUB}${to.slice(0, -EXTENSION.length)}` : undefined
  },
  load(id) {
    if (id === LOADER) return LOAD
    if (id.startsWith(STUB)) return stub(id.slice(STUB.length) + EXTENSION)
    return id.startsWith(DOOR) ? door(id.slice(DOOR.length)) : undefined
  },
}

/** `require` is the one of the bundle's files, which may be that of `bin/own-code.js`. */
const LOAD = `
const loaded = {}
export const load = (name) => (loaded[name] ??= require('./later-' + name + '.cjs'))
`

function stub(file: string): string {
  const names = [...read(file).matchAll(/^export (?:async )?function\*? (\w+)/gm)].map(([, name]) => name)
  const real = `load('${Object.keys(LATER)[groupOf(file) - 1]}').${nameOf(file)}`
  const functions = names.map((name) => `export function ${name}(...args) { return ${real}.${name}(...args) }`)
  return [`import { load } from '${LOADER}'`, ...functions].join('\n')
}

function door(group: string): string {
  calledLater ??= callsLater()
  const own = calledLater.filter((file) => Object.keys(LATER)[groupOf(file) - 1] === group)
  return own.map((file) => `export * as ${nameOf(file)} from '${join(SOURCES, file)}'`).join('\n')
}

let calledLater: readonly string[] | undefined

function callsLater(): readonly string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  )
  return [...new Set(files.flatMap((file) => importsOf(file).filter((to) => isLater(to, file))))]
}

function importsOf(file: string): string[] {
  const targets = [...read(file).matchAll(/^import (?!type )[^']*from '(\.[^']+)'/gm)].map(([, target]) => target ?? '')
  return targets.map((target) => relative(SOURCES, join(SOURCES, dirname(file), target)))
}

function isLater(file: string, importer: string): boolean {
  return groupOf(file) > groupOf(importer)
}

/** 0 for what is not loaded later. */
function groupOf(file: string): number {
  if (NOW.some((pattern) => pattern.test(file))) return 0
  return Object.values(LATER).findIndex((patterns) => patterns.some((pattern) => pattern.test(file))) + 1
}

function nameOf(file: string): string {
  return file.replace(/\.ts$/, '').replaceAll(/\W/g, '_')
}

function read(file: string): string {
  return readFileSync(join(SOURCES, file), 'utf8')
}
