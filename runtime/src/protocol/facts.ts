/**
 * What is known about a call before the gate judges it; journaled with the verdict. Facts are independent of policy, so
 * that a recorded call can be judged again under another one.
 */
import type { CommandUse } from './command.ts'
import type { ToolFamily } from './intent.ts'
import type { RiskLevel } from './risk.ts'
import type { Why } from './why.ts'

/** Whether the results of a tool are inspected: those of external ones are. */
export type Trust = 'internal' | 'external'

/** A path that a call would use, with links resolved. */
export interface PathFact {
  /** As the model wrote it. */
  path: string
  /** The real path: symbolic links resolved up to the nearest existing ancestor. */
  real: string
  access: 'read' | 'write'
  insideWorkspace: boolean
  /** The real path relative to the workspace, when it is below it. */
  inside?: string
  /** Policy, journal, approvals, skills or identity files: some can be read, none can be written. */
  isProtected: boolean
  /** Writ's own records, such as the journal: not readable either. */
  isClosed?: true
}

/** Where an address leads. */
export type AddressClass = 'public' | 'private' | 'loopback' | 'linklocal' | 'metadata' | 'reserved'

/** A host that a call would reach. */
export interface HostFact {
  url: string
  host: string
  port: number
  scheme: string
  method: string
  /** Known for address literals only: names are resolved after the gate has allowed the call. */
  address?: AddressClass
}

/** The commands in a shell line. */
export interface CommandFact {
  /** Base names of all commands in the line, including pipes, substitutions and here-documents. */
  bases: string[]
  /** Why the line could not be fully parsed; such a line needs approval each time. Older journals have one text. */
  unparsed?: string | Why[]
  /**
   * What its git commands do: read, change, publish, lose-work, run-programs. Absent when there are none, or when
   * unknown.
   */
  classes?: string[]
  /** Every program it starts and every file it writes by redirection. Absent in facts recorded before there were rules. */
  uses?: CommandUse[]
  /** Why the line is dangerous. */
  dangers: Why[]
}

/** Whom or what a call is aimed at. */
export interface TargetFact {
  kind: 'host' | 'url' | 'path' | 'email' | 'account' | 'phone' | 'name'
  value: string
  /** True for the address of an existing remote that the call only names. */
  setUp?: true
}

/** The effect of a call, most severe first. */
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
/** What a call does, the gravest first. */
export type Deed = (typeof DEEDS)[number]

/** The load of scouts when a call would start more. */
export interface ScoutFact {
  asked: number
  /** In this session. */
  running: number
  waiting: number
  /** Free places in this process. */
  free: number
  /** Tokens used by the session's scouts so far. */
  tokens: number
}

/** What is known about a call before it is judged; contains no policy. */
export interface Facts {
  registered: boolean
  /** For a tool that does not exist: the available tool with the most similar name. */
  meant?: string
  exposed: boolean
  family: ToolFamily
  /** Of this call, arguments considered. */
  risk: RiskLevel
  /** Why the risk is higher than usual for this tool. */
  riskWhy?: Why
  trust: Trust
  /** True when the call changes nothing outside the run. */
  readOnly: boolean
  /** Why the tool could not determine what the call touches. Such a call is denied. */
  unchecked?: Why
  /** Schema errors; empty when the arguments are valid. */
  form: string[]
  paths?: PathFact[]
  hosts?: HostFact[]
  command?: CommandFact
  /** Configuration keys the call would change. */
  configKeys?: string[]
  targets?: TargetFact[]
  /** For external tools: the kind of effect, compared with what the user asked for. */
  deed?: Deed
  scouts?: ScoutFact
  /** The preview for the approval question: the command, the diff, the URL and body. */
  preview?: string
  /** Fingerprint of what the preview was computed from. Unless it is the same when the call runs, nothing is written. */
  basis?: string
  /** Keys of a session-wide approval, each beginning with the tool's name; the tool's name alone when absent. */
  approvalKeys?: string[]
}

/** The contents of a decision's window: its actions may have no other targets. */
export interface ContextFacts {
  packages: string[]
  paths: string[]
}

/** The same with resolved paths. Absent in decisions recorded before this was checked. */
export interface ActionFacts extends ContextFacts {
  files?: readonly PathFact[]
}
