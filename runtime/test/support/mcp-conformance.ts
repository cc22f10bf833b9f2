/** The client under test of the MCP conformance suite: meets the server at the address it is given, calls every tool. */
import { openMcp } from '../../src/tool/mcp/open.ts'
import { parsed, run } from './mcp.ts'

const servers = parsed({ it: { url: process.argv.at(-1) } })
const deps = { env: {}, lang: 'en', clock: { now: () => 0 }, workspace: process.cwd(), storePath: undefined } as const
const world = {
  workspace: process.cwd(),
  protectedPaths: [],
  blockedPaths: [],
  allowedHosts: [],
  env: {},
  sandbox: 'off',
} as const
const mcp = await openMcp(servers, deps)
try {
  for (const tool of mcp.tools) {
    const { properties = {} } = tool.schema as { properties?: Record<string, unknown> }
    const args = Object.fromEntries(Object.keys(properties).map((name, index) => [name, index + 1]))
    await run(tool, args, { world })
  }
} finally {
  await mcp.close()
}
