/** Who the agent is and what it has learned to do: identity files and skills, from places it cannot write itself. */
import { relative } from 'node:path'
import type { Setting } from '../agent/setting.ts'
import { readIdentity } from '../context/identity.ts'
import { type SkillMeta, scanSkills } from '../context/skills.ts'

export interface LeftOut {
  identity: string[]
  skills: string[]
}

export interface Surroundings {
  skills: SkillMeta[]
  identity: string
  /** What was found and could not be used. */
  warnings: { skills: string[]; identity: string[] }
  /** What was left out because the workspace is not trusted, as names in it. */
  untrusted: LeftOut
}

export async function readSurroundings({ workspace, configHome, loaded }: Setting): Promise<Surroundings> {
  const trusted = loaded.trust === 'trusted'
  const places = { workspace, configHome, trusted, lang: loaded.lang }
  const [{ skills, warnings, untrusted }, identity] = await Promise.all([scanSkills(places), readIdentity(places)])
  const named = (path: string) => relative(workspace, path)
  return {
    skills,
    identity: identity.text,
    warnings: { skills: warnings, identity: identity.warnings },
    untrusted: { identity: identity.untrusted.map(named), skills: untrusted.map(named) },
  }
}
