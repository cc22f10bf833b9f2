/** An agent on the embedded rules model: no key, no network. Run it with `node scripts/node.js --conditions=writ-source examples/01-first-run.ts`. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent } from 'writ'

const workspace = await mkdtemp(join(tmpdir(), 'writ-example-'))
await writeFile(join(workspace, 'notes.txt'), 'buy milk\nwater the plants\n')

const agent = await createAgent({ workspace, model: 'rules', lang: 'en' })
const { reply, stopReason, runId } = await agent.run('read notes.txt')
console.log(reply)

const { trace, used_tools } = await agent.trace(runId)
console.log(trace)

// No one can be asked here, so a call that needs approval is denied, and the reply says so.
const refused = await agent.run('run the command: rm notes.txt')
console.log(refused.reply)

assert.equal(stopReason, 'final')
assert.match(reply, /buy milk/)
assert.equal(used_tools.file_read?.count, 1)
assert.match((await agent.run('read notes.txt')).reply, /buy milk/)

await agent.close()
await rm(workspace, { recursive: true })
