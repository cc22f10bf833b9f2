import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { BUILT } from '../build.ts'

const LIMIT = 250 * 1024

/** The scripts a browser loads for the first page: the entry script and its static imports. */
function initialScripts(): string[] {
  const page = readFileSync(join(BUILT, 'index.html'), 'utf8')
  const open = [...page.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map((found) => found[1] ?? '')
  const scripts = new Set<string>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (scripts.has(next)) continue
    scripts.add(next)
    const code = readFileSync(join(BUILT, 'assets', next), 'utf8')
    for (const found of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) open.push(found[1] ?? '')
  }
  return [...scripts]
}

const gzipped = (name: string) => gzipSync(readFileSync(join(BUILT, 'assets', name))).length

test('the first page loads at most 250 KB of compressed script, including its language and the chat', () => {
  const all = readdirSync(join(BUILT, 'assets'))
  const lazy = all.filter((name) => /^(?:chat-page|en|zh)-.*\.js$/.test(name))
  const sum = [...new Set([...initialScripts(), ...lazy])].reduce((bytes, name) => bytes + gzipped(name), 0)
  expect(lazy).toHaveLength(3)
  expect(sum).toBeLessThan(LIMIT)
})

test('the graph library is loaded only when a workflow is opened', () => {
  expect(initialScripts().filter((name) => name.startsWith('graph'))).toEqual([])
})

test('nothing is loaded from other hosts, and there are no inline scripts', () => {
  const page = readFileSync(join(BUILT, 'index.html'), 'utf8')
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|https?:\/\//)
  const styles = readdirSync(join(BUILT, 'assets')).filter((name) => name.endsWith('.css'))
  for (const name of styles)
    expect(readFileSync(join(BUILT, 'assets', name), 'utf8')).not.toMatch(/url\(["']?(?:https?:|\/\/)/)
})

test('X-CONSOLE-14: every text file of a kilobyte or more has compressed copies that hold the same text', () => {
  const files = readdirSync(BUILT, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:js|css|html)$/.test(name),
  )
  const large = files.map((name) => join(BUILT, name)).filter((file) => statSync(file).size >= 1024)
  expect(large.length).toBeGreaterThan(10)
  for (const file of large) {
    const text = readFileSync(file)
    expect(gunzipSync(readFileSync(`${file}.gz`)).equals(text), file).toBe(true)
    expect(brotliDecompressSync(readFileSync(`${file}.br`)).equals(text), file).toBe(true)
  }
})
