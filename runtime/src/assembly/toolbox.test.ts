import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDesk } from '../../test/support/browser-desk.ts'
import { startSite } from '../../test/support/site.ts'
import { peekSession } from '../tool/browser/sessions.ts'
import { createAgent } from './agent.ts'

test('an agent that is closed leaves the pages of the others in its process open; the last one closes them', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'writ-toolbox-'))
  const site = await startSite({ '/': 'hello' })
  const desk = openDesk([site.host])
  const at = { workspace, data: ':memory:', config: {}, model: 'rules' } as const
  const [one, other] = [await createAgent(at), await createAgent(at)]
  expect(await desk.use('browser_open', { url: site.url() })).toMatchObject({ ok: true })
  await one.close()
  expect(await peekSession('ses_1')).toBeDefined()
  await other.close()
  expect(await peekSession('ses_1')).toBeUndefined()
  await desk.close()
  await site.stop()
  rmSync(workspace, { recursive: true })
})
