/** The verbs of `writ mcp`. */
import type { Verb } from './verb.ts'

const MANY = Number.POSITIVE_INFINITY

export const MCP_VERBS: readonly Verb[] = [
  {
    name: 'mcp list',
    words: '',
    takes: [0, 0],
    flags: [],
    load: async () => (await import('./commands/mcp.ts')).mcpList,
  },
  {
    name: 'mcp check',
    words: '[SERVER…]',
    takes: [0, MANY],
    flags: [],
    handlesInterrupt: true,
    load: async () => (await import('./commands/mcp.ts')).mcpCheck,
  },
  {
    name: 'mcp login',
    words: 'SERVER',
    takes: [1, 1],
    flags: [],
    handlesInterrupt: true,
    load: async () => (await import('./commands/mcp.ts')).mcpLogin,
  },
  {
    name: 'mcp serve',
    words: '[SERVER…]',
    takes: [0, MANY],
    flags: ['own', 'task', 'http', 'host', 'autonomy'],
    handlesInterrupt: true,
    load: async () => (await import('./commands/mcp-serve.ts')).mcpServe,
  },
]
