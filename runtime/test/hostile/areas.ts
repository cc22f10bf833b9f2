import { addresses } from './addresses.ts'
import { approvals } from './approvals.ts'
import type { Area } from './attack.ts'
import { autorun } from './autorun.ts'
import { blocked } from './blocked.ts'
import { commands } from './commands.ts'
import { dataFolder } from './data-folder.ts'
import { decisions } from './decisions.ts'
import { disclosure } from './disclosure.ts'
import { edits } from './edits.ts'
import { evaluated } from './evaluated.ts'
import { fenced } from './fence.ts'
import { git } from './git.ts'
import { injection } from './injection.ts'
import { input } from './input.ts'
import { memory } from './memory.ts'
import { network } from './network.ts'
import { ownPrograms } from './own-programs.ts'
import { owners } from './owners.ts'
import { paths } from './paths.ts'
import { readers } from './readers.ts'
import { rules } from './rules.ts'
import { scouts } from './scouts.ts'
import { secrets } from './secrets.ts'
import { access } from './server-access.ts'
import { rights } from './server-rights.ts'
import { wire } from './server-wire.ts'
import { skills } from './skills.ts'
import { undo } from './undo.ts'
import { workflows } from './workflows.ts'

export const AREAS: Area[] = [
  addresses,
  paths,
  edits,
  undo,
  blocked,
  commands,
  readers,
  autorun,
  fenced,
  ownPrograms,
  network,
  git,
  evaluated,
  injection,
  memory,
  approvals,
  rules,
  dataFolder,
  secrets,
  disclosure,
  decisions,
  input,
  skills,
  scouts,
  workflows,
  access,
  wire,
  rights,
  owners,
]
