/** Identity files and skills, from folders the agent cannot write. */
import { relative } from 'node:path'
import type { WorkspaceContext } from '../agent/workspace-context.ts'
import { readIdentity } from '../context/identity.ts'
import { type SkillMeta, scanSkills } from '../context/skills.ts'

/** Files of the workspace that have no effect until `writ trust`. */
export interface UntrustedFiles {
  identity: string[]
  skills: string[]
}

export interface IdentityAndSkills {
  skills: SkillMeta[]
  identity: string
  /** Files that were found but could not be used. */
  warnings: { skills: string[]; identity: string[] }
  /** Files that were ignored because the workspace is not trusted, as paths in it. */
  untrusted: UntrustedFiles
}

export async function readIdentityAndSkills({
  workspace,
  configHome,
  loaded,
}: WorkspaceContext): Promise<IdentityAndSkills> {
  const trusted = loaded.trust === 'trusted'
  const places = { workspace, configHome, trusted, lang: loaded.lang }
  const [{ skills, warnings, untrusted }, identity] = await Promise.all([scanSkills(places), readIdentity(places)])
  const inWorkspace = (path: string) => relative(workspace, path)
  return {
    skills,
    identity: identity.text,
    warnings: { skills: warnings, identity: identity.warnings },
    untrusted: { identity: identity.untrusted.map(inWorkspace), skills: untrusted.map(inWorkspace) },
  }
}
