/** Programs that read the names of their files from a list or from standard input: no word of the line names them. */
import { hasOption, type Spelling } from './options.ts'

/** Some read a list under the same option, whatever their name. */
const ANY: Spelling = { long: 'files-from files0-from file-list filelist input-list' }

const OWN: Record<string, Spelling> = {
  git: { long: 'stdin stdin-paths pathspec-from-file index-info batch batch-check batch-command' },
  tar: { letters: 'T', valued: 'bfgFHIKLNVXC' },
  file: { letters: 'f', valued: 'PmFe' },
  zip: { letters: '@', long: 'names-stdin', valued: 'btnPxi' },
  xz: { long: 'files files0' },
}

/** They have no other way to be told their files. */
const ALWAYS = new Set(['cpio', 'afio'])

export function readsFileList(base: string, args: readonly string[]): boolean {
  if (ALWAYS.has(base) || (base === 'find' && args.includes('-files0-from'))) return true
  // Here standard input is the content itself.
  if (base === 'git' && args.includes('hash-object') && !hasOption(args, { long: 'stdin-paths', not: 'stdin' }))
    return false
  return hasOption(args, ANY) || (Object.hasOwn(OWN, base) && hasOption(args, OWN[base] ?? {}))
}
