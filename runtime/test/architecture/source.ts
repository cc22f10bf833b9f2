/** The source tree as text: which file imports which, types included. */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export const SRC = join(import.meta.dirname, '../../src')

export interface SourceFile {
  /** Relative to `src`, with forward slashes. */
  path: string
  folder: string
  text: string
  /** Our own files it imports, relative to `src`. */
  imports: string[]
  /** Packages and `node:` modules it imports. */
  packages: string[]
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'"\n;]*?(?:\{[^}]*\}[^'"\n;]*?)?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

export function readSource(): SourceFile[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => {
      const text = readFileSync(join(SRC, path), 'utf8')
      const targets = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? '')
      return {
        path,
        folder: path.includes('/') ? path.slice(0, path.indexOf('/')) : '',
        text,
        imports: targets
          .filter((target) => target.startsWith('.'))
          .map((target) => relative(SRC, join(SRC, dirname(path), target)).replaceAll('\\', '/')),
        packages: targets.filter((target) => !target.startsWith('.')),
      }
    })
}

/** Everything else that is source: the size limits hold for it too. */
export function readOtherSource(): { path: string; text: string }[] {
  const root = join(SRC, '../..')
  return globSync('{console/src,docs-site,scripts,bench,examples,runtime/bin}/**/*.{ts,tsx,js}', { cwd: root })
    .filter((path) => !path.includes('node_modules') && !/\.test\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}
