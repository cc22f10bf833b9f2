/** Settings of a repository that start no program, name no other file and send nothing out. */
const HARMLESS: readonly RegExp[] = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|abbrev|quotepath|sparsecheckout|sparsecheckoutcone|untrackedcache|preloadindex|commitgraph|multipackindex)$/,
  /^(user|author|committer)\.(name|email)$/,
  /^remote\..+\.(fetch|push|tagopt|prune|prunetags|mirror|skipdefaultupdate|skipfetchall)$/,
  /^branch\..+\.(remote|pushremote|merge|rebase|description)$/,
  /^branch\.(autosetupmerge|autosetuprebase|sort)$/,
  /^submodule\.(.+\.)?(active|branch|recurse|ignore)$/,
  /^extensions\.(objectformat|worktreeconfig|refstorage)$/,
  /^init\.defaultbranch$/,
  /^(pull\.(rebase|ff)|push\.(default|autosetupremote|followtags)|fetch\.(prune|prunetags)|merge\.(ff|conflictstyle|stat)|rebase\.(autostash|autosquash|updaterefs))$/,
  /^(color|advice|status|log|index|pack|gc|feature|column)\.[^.]+$/,
  /^diff\.(algorithm|renames|colormoved|context|mnemonicprefix)$/,
  /^lfs\.repositoryformatversion$/,
]
const ADDRESS = /^(remote\..+\.(url|pushurl)|submodule\..+\.url)$/

const SECTION = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/
const SETTING = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/

/** Also false when the syntax is unusual: git may understand what this parser does not. */
export function isSafeGitConfig(text: string, isInside: (path: string) => boolean): boolean {
  let section = ''
  for (const raw of text.split('\n')) {
    let line = raw.trim()
    if (line.endsWith('\\')) return false
    const opening = SECTION.exec(line)
    if (opening !== null) {
      const [, name = '', sub] = opening
      section = sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${sub}`
      line = opening[3] ?? ''
    }
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
    const setting = SETTING.exec(line)
    if (setting === null) return false
    const key = `${section}.${(setting[1] ?? '').toLowerCase()}`
    const value = setting[2] ?? ''
    // The working tree of a submodule.
    if (key === 'core.worktree' ? !isInside(value) : !isHarmless(key, value)) return false
  }
  return true
}

function isHarmless(key: string, value: string): boolean {
  // `ext::COMMAND` and similar values name a program; a leading dash would be an option.
  if (ADDRESS.test(key)) return !value.includes('::') && !/^["']?-/.test(value)
  return HARMLESS.some((pattern) => pattern.test(key))
}
