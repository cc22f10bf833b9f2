/** Writes the reference pages from the schemas, texts and catalogues; `--check` only reports pages that are out of date. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pictureFiles } from '../docs-site/pictures/pictures.ts'
import { nodeAt, SCHEMA_KEYS, type SchemaNode } from '../runtime/src/config/keys.ts'
import { flagName, SETTINGS, VARIABLES } from '../runtime/src/config/places.ts'
import { configJsonSchema } from '../runtime/src/config/schema.ts'
import { STOP_REASONS } from '../runtime/src/protocol/stop.ts'
import { workflowJsonSchema } from '../runtime/src/workflow/document.ts'
import { AGENT_CORE_SCHEMA } from '../runtime/src/workflow/nodes/agent-core-config.ts'
import { MESSAGE_SCHEMA, MESSAGES_SCHEMA } from '../runtime/src/workflow/nodes/messages.ts'
import { apiPage } from './api-page.ts'
import { cliPage } from './cli-page.ts'
import { configTypes } from './config-types.ts'
import { errorsPage } from './errors-page.ts'
import { eventsPage } from './events-page.ts'
import { httpPage } from './http-page.ts'
import { keyRow, row, schemaRows } from './schema-rows.ts'

const folder = new URL('../docs/reference/', import.meta.url)

const pages: Record<string, string> = {
  'config.schema.json': `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
  'config.md': configPage(),
  'api.md': apiPage(),
  'cli.md': cliPage('en'),
  'cli.zh-CN.md': cliPage('zh'),
  'errors.md': errorsPage('en'),
  'errors.zh-CN.md': errorsPage('zh'),
  'events.md': eventsPage('en'),
  'events.zh-CN.md': eventsPage('zh'),
  'http.md': httpPage(),
  'agent-core.md': agentCorePage(),
  'workflow.md': workflowPage(),
  'workflow.schema.json': `${JSON.stringify(workflowJsonSchema(), null, 2)}\n`,
  'agent-core.schema.json': `${JSON.stringify({ title: 'agent_core', ...AGENT_CORE_SCHEMA }, null, 2)}\n`,
  'messages.schema.json': `${JSON.stringify({ title: 'messages_json', ...MESSAGES_SCHEMA }, null, 2)}\n`,
  ...Object.fromEntries(Object.entries(pictureFiles()).map(([name, text]) => [`../pictures/${name}`, text])),
  ...Object.fromEntries(
    Object.entries(configTypes(configJsonSchema())).map(([name, text]) => [`../../runtime/src/config/${name}`, text]),
  ),
}

const drifted = Object.entries(pages).filter(([name, text]) => read(name) !== text)
if (process.argv.includes('--check')) {
  for (const [name] of drifted)
    console.error(`docs/reference/${name} is out of date: node scripts/generate-reference.ts`)
  process.exitCode = drifted.length === 0 ? 0 : 1
} else {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of drifted) writeFileSync(new URL(name, folder), text)
}

function read(name: string): string | undefined {
  try {
    return readFileSync(new URL(name, folder), 'utf8')
  } catch {
    return undefined
  }
}

function configPage(): string {
  return `# Configuration

Generated from the schema by \`scripts/generate-reference.ts\`; do not edit.

Settings are plain JSON in \`agent.config.json\`: \`{ "agent": { … } }\`. Flags override variables, variables override
files, and files override defaults. The workspace's file overrides your own in the config home (\`~/.config/writ/\`);
\`--config\` or \`WRIT_CONFIG\` names a file to use instead of the workspace's. Lists are replaced, not joined, except
rules and lists of blocked or disabled things, which are added up. Unknown keys are errors. \`writ config check\` lists all
problems, \`writ config show\` prints the current settings and where each comes from.

**Trust.** Until you run \`writ trust\`, the file of a workspace can only tighten settings: stricter levels, shorter lists
of allowed things, longer lists of blocked things, lower limits, more checks. Everything else in it is ignored with a
warning. Trust covers the current content of the file: after a change it must be given again. A file you name yourself
is trusted.

**Secrets** come from the environment only and have no key here.

## Keys

| key | type | default | meaning |
| --- | --- | --- | --- |
${SCHEMA_KEYS.map(({ path, node }) => keyRow(path, node)).join('\n')}

If the general \`softBlockAfter\` is set, it applies to every intent without its own.

### MCP servers

\`agent.mcp.servers.<name>\` has either \`command\` or \`url\`. See the guide: [MCP servers](../guides/mcp.md).

| key | type | default | meaning |
| --- | --- | --- | --- |
${entryRows(['agent', 'mcp', 'servers', 'any'], '')}
${entryRows(['agent', 'mcp', 'servers', 'any', 'declare', 'any'], 'declare.<tool>.')}

### Decision rules

Each entry of \`agent.decision.rules\`. See the guide: [Decisions](../guides/decisions.md).

| key | type | default | meaning |
| --- | --- | --- | --- |
${entryRows(['agent', 'decision', 'rules', '0'], '')}
${entryRows(['agent', 'decision', 'rules', '0', 'when'], 'when.')}
${entryRows(['agent', 'decision', 'rules', '0', 'actions', '0'], 'actions[].')}

### Rules

Each entry of \`agent.security.rules\`. See the guide: [Rules](../guides/rules.md).

| key | type | default | meaning |
| --- | --- | --- | --- |
${entryRows(['agent', 'security', 'rules', '0'], '')}
${entryRows(['agent', 'security', 'rules', '0', 'when'], 'when.')}
${entryRows(['agent', 'security', 'rules', '0', 'examples'], 'examples.')}

## Variables and flags

| variable | flag | key or meaning |
| --- | --- | --- |
${SETTINGS.map(({ env, flag, key }) => row([`\`${env}\``, `\`${flagName(flag)}\``, `\`${key}\``])).join('\n')}
${VARIABLES.map(({ env, meaning }) => row([`\`${env}\``, '', meaning])).join('\n')}

## The old form

\`agent.execution.intentGuard.browser\` with \`noFallback\`, \`networkAdjacentOnly\` and \`failTaskIfUnmet\` still works and
means \`intents.browser_access\`: \`networkAdjacentOnly: false\` empties \`softAllowedFamilies\`. Where both are given, the
new form wins for each key, with a warning.
`
}

function agentCorePage(): string {
  return `# agent_core

Generated from the schema by \`scripts/generate-reference.ts\`; do not edit. How to use it: [the guide](../guides/agent-core.md).

## Arguments

Required: ${AGENT_CORE_SCHEMA.required.map((key) => `\`${key}\``).join(', ')}. Unknown keys are rejected. As JSON Schema:
[agent-core.schema.json](agent-core.schema.json).

| key | type | default | meaning |
| --- | --- | --- | --- |
${schemaRows(AGENT_CORE_SCHEMA.properties, '')}

## Messages

\`messages_json\` is a list of these, or its JSON text. As JSON Schema: [messages.schema.json](messages.schema.json).

| key | type | default | meaning |
| --- | --- | --- | --- |
${schemaRows(MESSAGE_SCHEMA.properties, '')}

## finish_reason

One of ${STOP_REASONS.map((reason) => `\`${reason}\``).join(', ')}. A node ends with \`final\`, \`max_steps\`, \`max_tool_calls\`,
\`token_budget\`, \`money_budget\`, \`timeout\`, \`parse_error\`, \`tool_error\`, \`provider_error\`, \`invalid_input\`, \`aborted\` or
\`internal_error\`; with an intent policy also \`tool_policy_blocked\`.
`
}

function workflowPage(): string {
  const schema: SchemaNode = workflowJsonSchema()
  const at = (...path: string[]) => schemaRows(nodeAt(path, schema)?.properties ?? {}, '')
  const head = '| key | type | default | meaning |\n| --- | --- | --- | --- |'
  return `# Workflows

Generated from the schema by \`scripts/generate-reference.ts\`; do not edit. How to use them: [the guide](../guides/workflows.md).

A document is YAML or JSON. Unknown keys are rejected. As JSON Schema: [workflow.schema.json](workflow.schema.json).

${head}
${at()}

## Inputs

\`inputs.<name>\`:

${head}
${at('inputs', 'any')}

## Nodes

${head}
${at('nodes', '0')}

## Edges

${head}
${at('edges', '0')}
`
}

/** The keys of the entries of a record whose names the user chooses. */
function entryRows(path: readonly string[], prefix: string): string {
  return Object.entries(nodeAt(path)?.properties ?? {})
    .map(([key, node]) => keyRow(`${prefix}${key}`, node))
    .join('\n')
}
