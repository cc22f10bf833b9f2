import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDesk } from '../../test/support/browser-desk.ts'
import { makeBench } from '../../test/support/mcp.ts'
import { startSite } from '../../test/support/site.ts'
import { OWN_TOOL_NAMES } from '../config/tool-names.ts'
import { peekSession } from '../tool/browser/sessions.ts'
import type { Tool } from '../tool/tool.ts'
import { createAgent } from './agent.ts'

test('closing an agent, even twice, leaves the pages of the others open; the last one closes them', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'writ-toolbox-'))
  const site = await startSite({ '/': 'hello' })
  const desk = openDesk([site.host])
  const at = { workspace, data: ':memory:', config: {}, model: 'rules' } as const
  const [one, other] = [await createAgent(at), await createAgent(at)]
  expect(await desk.use('browser_open', { url: site.url() })).toMatchObject({ ok: true })
  await one.close()
  await one.close()
  expect(await peekSession('ses_1')).toBeDefined()
  await other.close()
  expect(await peekSession('ses_1')).toBeUndefined()
  await desk.close()
  await site.stop()
  rmSync(workspace, { recursive: true })
})

test('an agent that cannot be opened leaves no server running and no journal open', async () => {
  const bench = makeBench()
  const { command, args } = bench.plain([{ name: 'echo' }]) as { command: string; args: string[] }
  const pidFile = join(bench.folder, 'pid')
  const announced = { command: '/bin/sh', args: ['-c', 'echo $$ > "$0"; exec "$@"', pidFile, command, ...args] }
  const data = join(bench.folder, 'data')
  const misnamed = { name: 'no name', schema: {} } as unknown as Tool
  const opening = createAgent({
    workspace: bench.folder,
    data,
    env: { HOME: bench.folder, PATH: process.env.PATH },
    config: { agent: { mcp: { servers: { plain: announced } } } },
    model: 'rules',
    tools: [misnamed],
  })
  await expect(opening).rejects.toMatchObject({ code: 'TOOL_NAME' })
  const pid = Number(readFileSync(pidFile, 'utf8'))
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  expect(readdirSync(data).filter((name) => name.endsWith('-wal'))).toEqual([])
  await bench.remove()
})

test('the configuration knows the names of all our tools', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'writ-toolbox-'))
  const agent = await createAgent({ workspace, data: ':memory:', config: {}, model: 'rules' })
  const { dispatchToolName } = agent.config.config.scout
  const names = agent.tools.map(({ name }) => name).filter((name) => name !== dispatchToolName)
  // `skill` is there where there are skills.
  expect([...names, 'skill'].sort()).toEqual([...OWN_TOOL_NAMES])
  await agent.close()
  rmSync(workspace, { recursive: true })
})
