import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { SCHEMA_KEYS } from './keys.ts'

const root = new URL('../../../', import.meta.url)

describe('the generated reference', () => {
  test('is up to date', () => {
    const script = fileURLToPath(new URL('scripts/generate-reference.ts', root))
    expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow()
  })

  test('S4-142: names every key, with a meaning', () => {
    const page = readFileSync(new URL('docs/reference/config.md', root), 'utf8')
    for (const { path, node } of SCHEMA_KEYS) {
      expect(page).toContain(`\`${path}\``)
      expect(node.description, path).toBeTruthy()
    }
  })
})
