/** Two example workflows: one whose agent runs on the built-in rules, one with a failure branch. */
const agent = { model: 'rules', max_steps: 5, allowed_tools: ['file_list', 'file_read'] }

export const DIGEST = {
  name: 'digest',
  description: 'What is in the workspace, in a sentence',
  inputs: { question: { description: 'What to ask the agent', default: 'list the files here' } },
  nodes: [{ id: 'agent_core', tool: 'agent_core', args: { ...agent, prompt: '{{external.question}}' } }],
  edges: [],
}

export const SERVICE_CHECK = {
  name: 'tide-report',
  description: 'Reads the tides, shapes them, and keeps a note of what went wrong',
  inputs: { file: { description: 'Which notes', default: 'notes/tides.md' } },
  nodes: [
    { id: 'read', tool: 'file_read', args: { path: '{{external.file}}' } },
    { id: 'list', tool: 'file_list', args: { path: 'notes' } },
    { id: 'agent', tool: 'agent_core', args: { ...agent, prompt: 'list the files in notes' } },
    { id: 'note', tool: 'memory_store', args: { content: 'the tides could not be read' } },
  ],
  edges: [
    { from: 'read', to: 'agent' },
    { from: 'list', to: 'agent' },
    { from: 'read', to: 'note', on: 'error' },
  ],
}

/** One node fails, one is skipped because of it, one handles it. */
export const BROKEN = {
  name: 'harbour-report',
  description: 'Reads a plan that is missing, and says so',
  inputs: { plan: { description: 'Which plan', default: 'docs/plan-c.md' } },
  nodes: [
    { id: 'read', tool: 'file_read', args: { path: '{{external.plan}}' } },
    { id: 'publish', tool: 'memory_store', args: { content: '{{nodes.read.output}}' } },
    { id: 'list', tool: 'file_list', args: { path: 'docs' } },
    { id: 'tell', tool: 'memory_store', args: { content: 'the plan is missing' } },
  ],
  edges: [
    { from: 'read', to: 'publish' },
    { from: 'read', to: 'tell', on: 'error' },
  ],
}
