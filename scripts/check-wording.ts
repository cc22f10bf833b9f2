/** Lint: reports archaic words in source, tests and documents as `file:line: word`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const PLACES = ['runtime', 'console', 'docs-site', 'scripts', 'bench', 'examples', 'docs']
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', '.bundle', 'results', 'spec', 'screenshots'])
const CHECKED = /\.(?:ts|tsx|js|css|md)$/

const BANNED = [
  '(?:some|no|any)body',
  'who(?:m|so)?ever',
  'anew',
  'strangers?',
  'vouch\\w*',
  'for want of',
  'otherwise than',
  'tak(?:e|es|ing) offence',
  'c[ao]mes? to nothing',
  'hitherto',
  'henceforth',
  'thereof',
]
/** A test's fixtures may quote people who use these. */
const QUOTABLE = ['he', 'his', 'him', 'himself', 'shall']
/** Readers are 你, everywhere. The detectors match it in texts. */
const POLITE = /您/g
const MATCHES_POLITE = /^runtime\/src\/inspect\//

/** Word lists of the detectors, and tests that feed them with letters, pages and attacks. */
const ALLOWED = [
  /^scripts\/check-wording\.ts$/,
  /^runtime\/src\/language\//,
  /^runtime\/src\/inspect\/(?:lexicon-|inspect\.test)/,
  /^runtime\/src\/gate\/(?:deed-words|action-words|kind-words|deed-index|requested-deeds)/,
  /^runtime\/src\/intent\/phrases\//,
]

/** Names that are stored or sent, a system user, and patterns that match these words in texts. */
const ALLOWED_WORDS: Readonly<Record<string, string>> = {
  'runtime/src/gate/provenance/pointing.ts': 'his',
  'runtime/src/gate/provenance/sources.ts': 'him',
  'runtime/src/inspect/context.ts': 'he',
  'runtime/src/agent/claims.ts': '您',
  'runtime/src/gate/opt-out.ts': '您',
  'runtime/src/model/rules-phrases.ts': '您',
  'runtime/src/tool/mcp/elicited-form.ts': '您',
  'runtime/test/support/postgres.ts': 'nobody',
}

const words = (list: readonly string[]) => new RegExp(`\\b(?:${list.join('|')})\\b`, 'gi')
const EVERYWHERE = words(BANNED)
const OUTSIDE_OF_FIXTURES = words(QUOTABLE)
const TITLE_OR_COMMENT = /\b(?:test|describe)(?:\.\w+)*\(|\]\)\('|^\s*(?:\/\/|\/?\*)/

function findWords(path: string, text: string): string[] {
  if (ALLOWED.some((pattern) => pattern.test(path))) return []
  const isTest = /\.test\.tsx?$|^runtime\/test\//.test(path)
  return checkedLines(path, text).flatMap(({ line, number }) => {
    const polite = MATCHES_POLITE.test(path) ? [] : [POLITE]
    const patterns =
      isTest && !TITLE_OR_COMMENT.test(line) ? [EVERYWHERE] : [EVERYWHERE, OUTSIDE_OF_FIXTURES, ...polite]
    const found = patterns.flatMap((pattern) => [...line.matchAll(pattern)].map(([word]) => word))
    return found
      .filter((word) => !ALLOWED_WORDS[path]?.split(' ').includes(word))
      .map((word) => `${path}:${number}: ${word}`)
  })
}

/** Without the history of earlier versions and generated text, whose sources are checked themselves. */
function checkedLines(path: string, text: string): { line: string; number: number }[] {
  const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }))
  if (!path.endsWith('.md')) return lines
  if (lines.slice(0, 5).some(({ line }) => line.includes('do not edit'))) return []
  const history = path === 'CHANGELOG.md' ? lines.findIndex(({ line }) => line === '### Before') : -1
  let isGenerated = false
  return (history < 0 ? lines : lines.slice(0, history)).filter(({ line }) => {
    if (/<!-- .*generated/.test(line)) isGenerated = true
    else if (/<!-- end /.test(line)) isGenerated = false
    return !isGenerated
  })
}

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!SKIPPED_FOLDERS.has(entry.name)) yield* filesIn(path)
    } else if (CHECKED.test(entry.name)) yield path
  }
}

if (import.meta.main) {
  const pages = readdirSync(ROOT).filter((name) => name.endsWith('.md') || name === 'vitest.config.ts')
  const files = [...pages.map((name) => join(ROOT, name)), ...PLACES.flatMap((name) => [...filesIn(join(ROOT, name))])]
  const found = files.flatMap((file) => findWords(relative(ROOT, file), readFileSync(file, 'utf8')))
  for (const line of found) console.log(line)
  if (found.length > 0) {
    console.log(`${found.length} archaic words; use plain English`)
    process.exitCode = 1
  }
}
