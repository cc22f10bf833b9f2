import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadWorkspace } from '../agent/workspace-context.ts'
import { createAgent } from './agent.ts'

let workspace: string
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'writ-load-'))
})
afterEach(() => rmSync(workspace, { recursive: true }))

function configure(text: string): void {
  writeFileSync(join(workspace, 'agent.config.json'), text)
}

test('an agent with a loaded workspace reads no configuration again', async () => {
  const options = { workspace, data: ':memory:', model: 'rules', env: { HOME: workspace, PATH: process.env.PATH } }
  configure('{ "agent": { "limits": { "maxSteps": 3 } } }')
  const context = await loadWorkspace(options)
  configure('no longer JSON')
  const agent = await createAgent({ ...options, context })
  expect(agent.config).toBe(context.loaded)
  await agent.close()
})

test('overrides are applied to a configuration that is read again', async () => {
  const options = { workspace, data: ':memory:', model: 'rules', env: { HOME: workspace, PATH: process.env.PATH } }
  const context = await loadWorkspace(options)
  const overrides = [{ origin: 'test', raw: { agent: { tools: { disabled: ['shell'] } } } }]
  const agent = await createAgent({ ...options, context, overrides })
  expect(agent.config.config.tools.disabled).toContain('shell')
  await agent.close()
})
