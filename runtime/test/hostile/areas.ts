import { addresses } from './addresses.ts'
import type { Area } from './attack.ts'
import { commands } from './commands.ts'
import { injection } from './injection.ts'
import { input } from './input.ts'
import { paths } from './paths.ts'
import { secrets } from './secrets.ts'
import { skills } from './skills.ts'

export const AREAS: Area[] = [addresses, paths, commands, injection, secrets, input, skills]
