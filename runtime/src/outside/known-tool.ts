/** What is known about the tools of an outside agent: their families, and what a call would touch. */
import { isAbsolute, join, relative } from 'node:path'
import { isObject, type JsonObject } from '../base/json.ts'
import { present } from '../base/present.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Trust } from '../protocol/facts.ts'
import type { ToolFamily } from '../protocol/intent.ts'
import { clipPreview } from '../protocol/preview.ts'
import type { RiskLevel } from '../protocol/risk.ts'
import { writesAutorun } from '../tool/guard/autorun-files.ts'
import { describePath, isWithin } from '../tool/guard/paths.ts'
import { type DeclaredTool, inferTool } from '../tool/infer.ts'
import { ELSEWHERE, localPath, traitsOf } from '../tool/mcp/traits.ts'
import type { CallFacts, World } from '../tool/tool.ts'

/** Where a call is made, and the facts of our own tools, which read shell lines, patches and addresses the same way. */
export interface CallSite {
  world: World
  home: string
  /** The folder the agent works in at this moment, inside the workspace or not. */
  cwd: string
  own(tool: 'shell' | 'http_request' | 'file_write', args: JsonObject): Promise<CallFacts>
}

export interface KnownTool {
  family: ToolFamily
  risk: RiskLevel
  readOnly: boolean
  trust: Trust
  facts?(input: JsonObject, site: CallSite): CallFacts | Promise<CallFacts>
}

/** The tools of an agent, by the names it gives in its calls. */
export type ToolTable = Readonly<Record<string, KnownTool>>

export const MAX_PREVIEW = 8_000
const PATH_MAX = 4096

/** Works only on the agent's own state, such as its plan: nothing outside it changes. */
export const OWN_STATE: KnownTool = { family: 'task', risk: 'Low', readOnly: true, trust: 'internal' }

/** Changes nothing either, but gives back what others may have written: outputs, files, descriptions of tools. */
export const OWN_READING: KnownTool = { ...OWN_STATE, trust: 'external' }

/** Starts a sub-agent. Its calls are judged like all others; its report may repeat what it has read. */
export const SUB_AGENT: KnownTool = { family: 'task', risk: 'Low', readOnly: true, trust: 'external' }

/** A search whose words leave the machine, and whose answers come from anywhere. */
export const WEB_SEARCH: KnownTool = {
  family: 'network',
  risk: 'Low',
  readOnly: true,
  trust: 'external',
  facts: () => ({ deed: 'browse' }),
}

/** Never seen: asked about every time. */
const UNKNOWN: KnownTool = { family: 'unknown', risk: 'High', readOnly: false, trust: 'external' }

const MCP_NAME = /^mcp__.+?__.+/

/** opencode puts one line between server and tool. */
const OPENCODE_MCP_NAME = /^[A-Za-z][\w-]*_[\w-]+$/

/** The table's entry; for a tool of an MCP server what its name tells; nothing for any other. */
export function knownTool(table: ToolTable, name: string, agent: string): KnownTool {
  if (Object.hasOwn(table, name)) return table[name] as KnownTool
  const isServers = MCP_NAME.test(name) || (agent === 'opencode' && OPENCODE_MCP_NAME.test(name))
  return isServers ? declaredTool({ name }) : UNKNOWN
}

/** A tool as its library or server describes it. */
export interface ToolDeclaration extends DeclaredTool {
  trust?: Trust
}

/** What is not declared is inferred, as for the tools of MCP servers. */
export function declaredTool(declared: ToolDeclaration): KnownTool {
  const { name, description = '', schema, trust = 'external', annotations, ...stated } = declared
  const hints = { readOnlyHint: annotations?.readOnlyHint === true }
  const { family, risk, readOnly } = inferTool(declared)
  return {
    family,
    risk,
    readOnly,
    trust,
    async facts(input, { world, cwd }) {
      const definition = { name, description, schema: schema ?? schemaLike(input), annotations: hints }
      const { deedOf, targets: targetsOf } = traitsOf(name, definition, present(stated))
      const targets = targetsOf(input)
      const named = ELSEWHERE.has(family) ? [] : targets.flatMap(localPath)
      const access = readOnly ? 'read' : 'write'
      const paths = await Promise.all(named.map((path) => describePath({ path, access, from: cwd }, world)))
      const preview = clipPreview(`${name}\n${JSON.stringify(input, undefined, 2)}`, MAX_PREVIEW)
      return { deed: deedOf(input), targets, preview, ...(paths.length > 0 && { paths }) }
    },
  }
}

/** The definition is not known here: the names of the arguments say what they are. */
function schemaLike(input: JsonObject): JsonObject {
  return { type: 'object', properties: Object.fromEntries(Object.keys(input).map((key) => [key, {}])) }
}

/** A shell line. `param`: the argument with the line; `cwdParam`: the one with the folder it runs in. */
export function shell(param: string, cwdParam?: string): KnownTool {
  return {
    family: 'shell',
    risk: 'Medium',
    readOnly: false,
    trust: 'external',
    facts(input, site) {
      const own = cwdParam === undefined ? undefined : input[cwdParam]
      const cwd = own === undefined || own === null ? site.cwd : resolved(demandText(own, cwdParam ?? ''), site)
      const command = demandText(input[param], param)
      return site.own('shell', cwd === site.world.workspace ? { command } : { command, cwd })
    },
  }
}

/** Reads files: the paths of a call. */
export function reads(paths: (input: JsonObject) => readonly unknown[]): KnownTool {
  return {
    family: 'filesystem',
    risk: 'Low',
    readOnly: true,
    trust: 'external',
    async facts(input, site) {
      const named = paths(input).map((path) => demandText(path, 'path'))
      return {
        paths: await Promise.all(named.map((path) => describe(path, 'read', site))),
        targets: named.map((path) => ({ kind: 'path', value: shown(path, site) })),
        preview: named.map((path) => `read ${shown(path, site)}`).join('\n'),
      }
    },
  }
}

/** Changes files: the paths of a call, and what to show of it. */
export function writes(
  paths: (input: JsonObject) => readonly unknown[],
  show: (input: JsonObject) => string = (input) => JSON.stringify(input, undefined, 2),
): KnownTool {
  return {
    family: 'filesystem',
    risk: 'Medium',
    readOnly: false,
    trust: 'external',
    async facts(input, site) {
      const named = paths(input).map((path) => demandText(path, 'path'))
      if (named.length === 0) throw new WritError('OUTSIDE_ARGS', { param: 'path' })
      const facts = await Promise.all(named.map((path) => describe(path, 'write', site)))
      return {
        // High needs approval every time; no earlier approval covers it.
        risk: writesAutorun(facts, site.world) ? 'High' : 'Medium',
        readOnly: false,
        paths: facts,
        targets: named.map((path) => ({ kind: 'path', value: shown(path, site) })),
        preview: clipPreview(`${named.map((path) => shown(path, site)).join('\n')}\n${show(input)}`, MAX_PREVIEW),
      }
    },
  }
}

/** Reads an address. */
export function fetches(param: string): KnownTool {
  return {
    family: 'network',
    risk: 'Low',
    readOnly: false,
    trust: 'external',
    facts: (input, { own }) => own('http_request', { url: demandText(input[param], param), method: 'GET' }),
  }
}

/** Names of arguments are the agent's; anything but a text there means that the table does not fit this version. */
export function demandText(value: unknown, param: string): string {
  if (typeof value !== 'string' || value === '' || value.includes('\0')) throw new WritError('OUTSIDE_ARGS', { param })
  return value
}

/** The entries of a list argument; nothing where it is something else. */
export function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? (value.filter(isObject) as JsonObject[]) : []
}

function describe(path: string, access: 'read' | 'write', site: CallSite) {
  if (path.length > PATH_MAX) throw new WritError('OUTSIDE_ARGS', { param: 'path' })
  return describePath({ path: resolved(path, site), access }, site.world)
}

function resolved(path: string, { cwd }: CallSite): string {
  return isAbsolute(path) || path === '~' || path.startsWith('~/') ? path : join(cwd, path)
}

/** As a user would name it: agents give absolute paths. */
function shown(path: string, site: CallSite): string {
  const { workspace } = site.world
  const at = resolved(path, site)
  return at !== workspace && isWithin(at, workspace) ? relative(workspace, at) : path
}
