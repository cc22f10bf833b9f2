/** Other names of programs and sub-commands. A rule that denies `npm install *` denies `npm i` too. */

const PROGRAMS: Record<string, string> = {
  'docker-compose': 'docker compose',
  'podman-compose': 'podman compose',
  gmake: 'make',
  nodejs: 'node',
  python2: 'python',
  python3: 'python',
  pip3: 'pip',
  k: 'kubectl',
  gtar: 'tar',
  bsdtar: 'tar',
  tofu: 'terraform',
}
const NPM = {
  install: 'i in ins inst insta instal isnt isnta isntal isntall add',
  ci: 'clean-install ic install-clean isntall-clean',
  uninstall: 'un unlink remove rm r',
  update: 'up upgrade udpate',
  run: 'run-script rum urn',
  test: 't tst',
  exec: 'x',
  list: 'ls ll la',
  view: 'info show v',
  link: 'ln',
  config: 'c',
}
const VERBS: Record<string, Record<string, string>> = {
  npm: NPM,
  pnpm: NPM,
  yarn: NPM,
  bun: NPM,
  cargo: { build: 'b', check: 'c', test: 't', run: 'r', doc: 'd', remove: 'rm' },
  composer: { install: 'i', update: 'u upgrade', require: 'r', remove: 'rm' },
  helm: { uninstall: 'un delete del', list: 'ls', dependency: 'dep' },
  brew: { uninstall: 'rm remove', list: 'ls' },
  git: { add: 'stage' },
  rails: { server: 's', test: 't', console: 'c', runner: 'r' },
}

/** The words with the usual names; undefined when they have them. */
export function usualWords(words: readonly string[]): string[] | undefined {
  const [name = '', ...args] = words
  const base = name.slice(name.lastIndexOf('/') + 1)
  if (base === 'install' && args.some((arg) => arg === '--directory' || /^-[a-ce-z]*d/.test(arg)))
    return ['mkdir', ...args]
  const [program = base, ...first] = (PROGRAMS[base] ?? base).split(' ')
  const verbs = VERBS[program] ?? {}
  const usual = new Map(
    Object.entries(verbs).flatMap(([verb, others]) => others.split(' ').map((other) => [other, verb])),
  )
  // Options and their values may stand before the sub-command.
  const at = args.findIndex((arg) => usual.has(arg))
  const named = args.map((arg, i) => (i === at ? (usual.get(arg) ?? arg) : arg))
  return program === base && at < 0 ? undefined : [program, ...first, ...named]
}
