/** Every command block of the documents, as a reader pastes it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeClone, openPage } from '../support/page-place.ts'
import { blocksOf, pages, REASONS } from '../support/pages.ts'

const all = pages().map((page) => ({ page, blocks: blocksOf(page) }))
const shell = all.flatMap(({ blocks }) => blocks.filter(({ language }) => language === 'sh'))

/** Of a run, a session or a memory that the reader has. */
const PLACEHOLDER = /\bRUN\b|ses_…|mem_…/

let clone: ReturnType<typeof makeClone>
beforeAll(() => {
  clone = makeClone()
})
afterAll(() => {
  clone.remove()
  const counts = Object.keys(REASONS).map((reason) => `${reason} ${shell.filter((b) => b.notRun === reason).length}`)
  const ran = shell.filter(({ notRun }) => notRun === undefined).length
  console.log(`command blocks: ${ran} run; not run: ${counts.join(', ')}`)
})

test('X-DOCS-1: a block that is not run has a reason of the list', () => {
  const wrong = all.flatMap(({ blocks }) =>
    blocks.filter(({ notRun }) => notRun !== undefined && !Object.hasOwn(REASONS, notRun)),
  )
  expect(wrong.map(({ page, line, notRun }) => `${page}:${line}: ${notRun}`)).toEqual([])
  expect(shell.length).toBeGreaterThan(30)
})

describe('X-DOCS-1: every command of the page works', () => {
  const withCommands = all.filter(({ blocks }) => blocks.some((b) => b.language === 'sh' && b.notRun === undefined))
  test.each(withCommands.map(({ page, blocks }) => [page, blocks] as const))('%s', async (_page, blocks) => {
    const place = openPage(clone.folder)
    try {
      for (const { file, code } of blocks) if (file !== undefined) place.save(file, `${code}\n`)
      const commands = blocks.filter(({ language, notRun }) => language === 'sh' && notRun === undefined)
      for (const [i, block] of commands.entries()) {
        if (i === 0 || PLACEHOLDER.test(block.code)) await place.seed()
        await place.run(block)
      }
    } finally {
      await place.close()
    }
  })
})
