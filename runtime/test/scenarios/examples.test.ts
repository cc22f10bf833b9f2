import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makePlace } from '../support/cli.ts'

const root = join(import.meta.dirname, '../../..')
const programs = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'))

test.each(programs)('%s runs and its assertions hold', async (name) => {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--conditions=writ-source', join(root, 'examples', name)],
    { cwd: root },
  )
  expect(stderr).toBe('')
})

test.each(readdirSync(join(root, 'examples/policies')))('the policy %s is one', async (name) => {
  const place = makePlace()
  const { code, stderr } = await place.writ(['config', 'check', join(root, 'examples/policies', name)])
  place.remove()
  expect({ code, stderr }).toMatchObject({ code: 0 })
})
