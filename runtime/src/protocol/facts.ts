/**
 * What the world says about a call, gathered before the gate judges it and journaled with its verdict.
 * Facts know no policy, so that a recorded call can be judged again under another one.
 */
import type { ToolFamily } from './intent.ts'
import type { RiskLevel } from './risk.ts'

export type Trust = 'internal' | 'external'

export interface PathFact {
  /** As the model wrote it. */
  path: string
  /** Where it really leads: symbolic links followed up to the nearest existing ancestor. */
  real: string
  access: 'read' | 'write'
  insideWorkspace: boolean
  /** Policy, journal, approvals, skills or identity files: the agent may read some, and write none. */
  isProtected: boolean
  /** Writ's own records, such as the journal: not even to be read. */
  isClosed?: true
}

export type AddressClass = 'public' | 'private' | 'loopback' | 'linklocal' | 'metadata' | 'reserved'

export interface HostFact {
  url: string
  host: string
  port: number
  scheme: string
  method: string
  /** Known for address literals only: a name is looked up after the gate has allowed the call. */
  address?: AddressClass
}

export interface CommandFact {
  /** Base names of every command in the line, pipes, substitutions and here-documents included. */
  bases: string[]
  /** Why the line could not be fully understood; such a line is asked about each time. */
  unparsed?: string
  /** What its git commands do: read, change, publish, lose-work, run-programs. Absent: there are none, or not known. */
  classes?: string[]
  /** What makes the line dangerous, in words. */
  dangers: string[]
}

export interface TargetFact {
  kind: 'host' | 'url' | 'path' | 'email' | 'account' | 'phone' | 'name'
  value: string
  /** True of the address of a remote that the call only names: it was set up before. */
  setUp?: true
}

/** What a call does to the world, the gravest first. */
export const DEEDS = [
  'exec',
  'payment',
  'delete',
  'share',
  'account',
  'order',
  'send',
  'write',
  'browse',
  'read',
] as const
export type Deed = (typeof DEEDS)[number]

/** How busy scouts are when a call would send more. */
export interface ScoutFact {
  asked: number
  /** Of this session. */
  running: number
  waiting: number
  /** Places left in the whole process. */
  free: number
  /** Tokens the session's scouts have used so far. */
  tokens: number
}

export interface Facts {
  registered: boolean
  exposed: boolean
  family: ToolFamily
  /** Of this very call, arguments considered. */
  risk: RiskLevel
  trust: Trust
  /** True when the call can change nothing outside the run. */
  readOnly: boolean
  /** Why the tool could not say what the call would touch. Such a call is refused. */
  unchecked?: string
  /** Schema errors; empty when the arguments fit. */
  form: string[]
  paths?: PathFact[]
  hosts?: HostFact[]
  command?: CommandFact
  /** Keys of the configuration a call wants to change. */
  configKeys?: string[]
  targets?: TargetFact[]
  /** Of tools from outside: what kind of thing the call does, so that it can be held against what was asked for. */
  deed?: Deed
  scouts?: ScoutFact
  /** What a person would be shown: the command, the diff, the URL and body. */
  preview?: string
  /** Keys a session-wide approval is kept under, each beginning with the tool's name; that name alone when absent. */
  approvalKeys?: string[]
}

/** What a decision's window of observed events contained: the only targets its actions may have. */
export interface ContextFacts {
  packages: string[]
  paths: string[]
}

/** The same, with where the targets that are paths really lead. Absent of decisions recorded before this was looked at. */
export interface ActionFacts extends ContextFacts {
  files?: readonly PathFact[]
}
