/** Classes of JavaScript's package managers, runtimes and tools. */
import type { CommandClass } from '../../protocol/command.ts'
import { scriptByName } from './command-names.ts'
import {
  ANY,
  all,
  type CommandCall,
  type CommandExamples,
  type CommandRow,
  type CommandTable,
  option,
  worst,
} from './command-row.ts'
import { interpreter, launcher, scriptClass, startedTool } from './command-runs.ts'
import { hasOption, partWords, type Spelling } from './options.ts'

const TAKES: Spelling = {
  long: 'prefix workspace cwd dir filter filter-prod userconfig registry cache loglevel tag otp access workspace-dir store-dir config omit include',
  letters: 'wCF',
}
const BUILT = 'test t tst start stop restart'
const INSTALLS =
  'install i in ins inst insta instal isnt add ci clean-install install-clean ic install-test it cit update up upgrade dedupe rebuild rb uninstall un unlink remove rm r link ln import fetch'
const READS =
  'ls list ll la view info show v outdated explain why help help-search root prefix bin search find fund ping audit doctor query sbom diff docs bugs repo whoami licenses env get'
const PUBLISHES = 'publish unpublish deprecate undeprecate dist-tag owner author access team org star unstar hook stage'
const listed = (names: string): string => names.split(' ').join(', ')

const MANAGER: CommandRow = {
  is: 'read',
  takes: TAKES,
  verbs: {
    read: `${listed(READS)}, dist-tag ls, dist-tag list, owner ls, access list, access get, config get, config list, config ls, pkg get, cache verify, cache ls`,
    build: `${listed(BUILT)}, run, run-script, rum, urn, exec, x, build`,
    change: `${listed(INSTALLS)}, audit fix, pack, prune, dedupe, version, pkg set, pkg delete, pkg fix, shrinkwrap, init, set-script, cache clean, patch, patch-commit, approve-builds, store prune, cache, set version, plugin import, up`,
    publish: `${listed(PUBLISHES)}, npm publish, npm tag add, npm tag remove`,
    credentials: 'token, login, adduser, add-user, logout, profile, npm login, npm logout',
    'run-programs': 'dlx, create, config set, config edit, config delete, set, edit, config, c set, patch-package',
  },
  options: [
    option('run-programs', { long: 'script-shell node-options', not: 'script' }),
    option('run-programs', { long: 'registry', not: 'r re reg' }),
  ],
  dry: { long: 'dry-run' },
  check: checkManager,
  allows:
    'aglpDPr --depth= --all --global --long --parseable --production --prod --dev --workspaces --include-workspace-root --link --audit-level= --package-lock-only --level= --recursive --only= --searchlimit= --no-description --pattern= --outdated --sbom-format= --diff=',
}

/** They also run scripts of the project by their bare names, so few names certainly only read. */
const SCRIPTED: CommandRow = {
  ...MANAGER,
  verbs: {
    ...MANAGER.verbs,
    read: 'why, list, ls, outdated, audit, info, help, bin, root, config get, config list, licenses list, store path, store status, pm ls, pm bin, pm hash, npm info, npm audit, npm whoami, workspaces list, workspaces info',
  },
  other: bareScript,
}

const TOOL: CommandRow = {
  is: 'build',
  options: [option('change', { long: 'fix write apply updateSnapshot update', letters: 'u', not: 'f w a up upda' })],
}

export const JS_TABLE: CommandTable = {
  npm: MANAGER,
  pnpm: SCRIPTED,
  yarn: { ...SCRIPTED, is: 'change' },
  bun: {
    ...SCRIPTED,
    options: [...(MANAGER.options ?? []), option('run-programs', { long: 'eval print', letters: 'ep', valued: 'cF' })],
  },
  ...all('npx bunx pnpx', { is: 'unknown', check: checkNpx, allows: ANY }),
  corepack: { is: 'read', other: 'system' },
  ...all(
    'node nodejs',
    interpreter({
      takes: {
        long: 'require import loader env-file conditions experimental-loader test-reporter test-name-pattern test-reporter-destination',
        letters: 'rC',
      },
      code: { long: 'eval print', letters: 'ep', valued: 'rC' },
      reads: { long: 'version check help', letters: 'vch', valued: 'rC' },
      tests: { long: 'test', not: 't te tes' },
    }),
  ),
  ...all(
    'tsx ts-node vite-node',
    interpreter({
      takes: { long: 'project tsconfig env-file import require', letters: 'PrO' },
      code: { long: 'eval print', letters: 'ep', valued: 'PrO' },
      reads: { long: 'version', letters: 'v' },
      tests: { long: 'test', not: 't te tes' },
    }),
  ),
  deno: {
    is: 'unknown',
    takes: { long: 'config import-map', letters: 'c' },
    verbs: {
      read: 'info, doc, help, types, outdated',
      build: 'test, check, lint, bench, run, task, compile, coverage, cache',
      change: 'fmt, install, add, remove, init, vendor, update',
      publish: 'publish, deploy',
      'run-programs': 'eval, repl, upgrade, jupyter',
    },
    options: [option('change', { long: 'fix' }), option('system', { long: 'global', letters: 'g', valued: 'c' })],
    dry: { long: 'check dry-run' },
    check({ args }) {
      const [verb = '', ...words] = partWords(args, { long: 'config', letters: 'c' }).words
      if (verb === 'run') return scriptClass(words)
      return verb === 'task' ? scriptByName(words[0] ?? '') : 'read'
    },
  },
  ...all(
    'tsc vue-tsc tsgo eslint oxlint stylelint vitest jest mocha ava tap tape jasmine karma webpack rollup esbuild swc tsup unbuild parcel microbundle svelte-check knip madge depcheck typedoc publint attw size-limit commitlint tailwindcss postcss sass graphql-codegen api-extractor tsd type-coverage ts-prune dependency-cruiser depcruise cspell markdownlint markdownlint-cli2 standard xo ncc license-checker dprint jscpd tsc-alias json-server redocly elm-test gulp grunt web-ext stryker testcafe wtr',
    TOOL,
  ),
  ...all(
    'c8 nyc',
    launcher(
      {
        long: 'reporter reports-dir report-dir temp-directory temp-dir include exclude src lines functions branches statements watermarks cwd extension require resolve',
        letters: 'rxnoie',
      },
      /^(report|check-coverage|merge|instrument)$/,
    ),
  ),
  ...all('cross-env cross-env-shell', launcher({})),
  ...all('dotenv env-cmd', launcher({ long: 'env file environments', letters: 'efvcpr' })),
  ...all('npm-run-all run-s run-p', {
    is: 'build',
    check: ({ args }) => worst(args.filter((arg) => !arg.startsWith('-')).map(scriptByName)),
  }),
  prettier: { is: 'build', options: [option('change', { long: 'write', letters: 'w' })] },
  biome: {
    is: 'read',
    verbs: { build: 'check, lint, ci, format', read: 'explain, rage, version', change: 'init, migrate' },
    options: TOOL.options ?? [],
  },
  ...all('ncu npm-check-updates', {
    is: 'read',
    allows: 'gmp:t:f:x: --target= --filter= --reject= --deep --packageFile= --dep=',
    options: [option('change', { long: 'upgrade', letters: 'u' })],
  }),
  ...all(
    'vite next nuxt nuxi astro remix gatsby docusaurus storybook ng vue-cli-service react-scripts electron-vite rsbuild rspack',
    {
      is: 'build',
      verbs: {
        build:
          'build, dev, serve, preview, start, lint, test, check, info, export, generate, prepare, typecheck, optimize, e2e, analyze',
        change: 'add, init, upgrade, update, new, clean, swizzle',
      },
    },
  ),
  playwright: {
    is: 'unknown',
    verbs: { build: 'test, show-report, merge-reports', change: 'install' },
    options: TOOL.options ?? [],
  },
  cypress: { is: 'unknown', verbs: { build: 'run, verify', read: 'info, version, cache list' } },
  turbo: {
    is: 'read',
    check: ({ args }) => projectTasks(args, 'run watch'),
    options: [option('credentials', { long: 'token' })],
  },
  nx: {
    is: 'read',
    check: ({ args }) => projectTasks(args, 'run run-many affected show graph report list'),
    dry: { long: 'dry-run' },
  },
  lerna: {
    is: 'unknown',
    verbs: {
      read: 'ls, list, la, ll, changed, diff, info',
      build: 'run',
      change: 'bootstrap, clean',
      publish: 'publish, version',
      'run-programs': 'exec',
    },
  },
  changeset: {
    is: 'change',
    allows: '--since=',
    verbs: { read: 'status', change: 'version, add, init, pre', publish: 'publish, tag' },
  },
  ...all('semantic-release np release-it', { is: 'publish' }),
  ...all('lint-staged husky mkdirp patch-package sort-package-json npm-check', { is: 'change' }),
  prisma: {
    is: 'read',
    verbs: { build: 'validate, generate, version', change: 'format, init', remote: 'migrate, db' },
  },
  'drizzle-kit': { is: 'unknown', verbs: { build: 'generate, check', remote: 'push, migrate, drop, up' } },
}

export const JS_EXAMPLES: CommandExamples = {
  read: [
    'npm ls',
    'npm view typescript version',
    'npm --version',
    'pnpm why lodash',
    'npm dist-tag ls x',
    'node --check a.js',
  ],
  build: [
    'npm test',
    'npm run lint',
    'npm --prefix a run build',
    'npx tsc --noEmit',
    'pnpm -r test',
    'pnpm lint',
    'yarn workspace a test',
    'node scripts/x.js',
    'node --test',
    'node -e "console.log(require(\'./package.json\').version)"',
    'bun run build',
    'npx eslint src',
    'npm pack --dry-run',
    'npm exec -- tsc',
  ],
  change: [
    'npm ci',
    'npm install lodash',
    'yarn',
    'npm run clean',
    'npx eslint --fix src',
    'npx prettier --write a',
    'npm version patch',
  ],
  publish: [
    'npm publish',
    'npm --prefix a publish',
    'npm --unlisted test publish',
    'npm run deploy:prod',
    'yarn npm publish',
    'pnpm -r publish',
    'npm dist-tag add a@1 latest',
    'npx semantic-release',
    'node scripts/release.js',
  ],
  credentials: ['npm token create', 'npm login'],
  'run-programs': [
    'npx some-package',
    'npx -y tsc',
    'npx cowsay@latest',
    'pnpm dlx x',
    'npm --script-shell=x test',
    'npm install https://example.com/a.tgz',
    "node -e \"require('fs').rmSync('src')\"",
    'npm exec cowsay',
    'npm init vite',
  ],
  system: ['npm install -g x'],
  unknown: ['yarn frobnicate', 'node -e "x()"'],
}

/** `yarn workspace a test` and `yarn workspaces foreach run test` name the command after the workspaces. */
function managerWords(args: readonly string[]): string[] {
  const end = args.indexOf('--')
  const { words } = partWords(end < 0 ? args : args.slice(0, end), TAKES)
  if (words[0] === 'workspace') return words.slice(2)
  if (words[0] === 'workspaces') return words.slice(words[1] === 'foreach' || words[1] === 'run' ? 2 : 1)
  return words[0] === 'recursive' || words[0] === 'm' ? words.slice(1) : words
}

const RUNS = /^(run|run-script|rum|urn)$/
const ADDS = /^(install|i|in|ins|inst|insta|instal|add|update|up)$/
/** Packages that do not come from the registry. */
const ELSEWHERE = /^([a-z+]+:|git@)|^[\w-]+\/[\w.-]+(#.*)?$|\.t(ar\.)?gz$/i

function checkManager(call: CommandCall): CommandClass {
  const words = managerWords(call.args)
  const [verb = '', next = ''] = words
  if (ADDS.test(verb) || /^(uninstall|un|remove|rm|r|unlink|link|ln)$/.test(verb)) {
    if (hasOption(call.args, { long: 'global location', letters: 'g', valued: 'wCF' })) return 'system'
  }
  if (RUNS.test(verb)) return next === '' ? 'read' : scriptByName(next)
  if (verb === 'exec' || verb === 'x') return startedTool(call, startedWords(call.args, verb), isTool)
  if (ADDS.test(verb) && words.slice(1).some((word) => ELSEWHERE.test(word))) return 'run-programs'
  if (verb === 'init') return next === '' ? 'change' : 'run-programs'
  return 'read'
}

/** For managers that run scripts by their bare names. */
function bareScript(call: CommandCall): CommandClass {
  const words = managerWords(call.args)
  const [verb = ''] = words
  if (/\.[cm]?[jt]sx?$/.test(verb)) return scriptClass(words)
  if (isTool(verb)) return call.classOf(call.args.slice(call.args.indexOf(verb)))
  const named = scriptByName(verb)
  return named !== 'build' || /test|lint|build|check|type|dev|start|serve|watch|spec|e2e|unit|compile|bench/.test(verb)
    ? named
    : 'unknown'
}

function isTool(name: string): boolean {
  return Object.hasOwn(JS_TABLE, name) || /^(wrangler|vercel|netlify|firebase|supabase|serverless|sls|cdk)$/.test(name)
}

function startedWords(args: readonly string[], verb: string): string[] {
  const rest = args.slice(args.indexOf(verb) + 1)
  const at = rest[0] === '--' ? 1 : 0
  return /^-/.test(rest[at] ?? '-') ? [] : rest.slice(at)
}

function checkNpx(call: CommandCall): CommandClass {
  let { args } = call
  while (/^--(no-install|no|offline|quiet|bun)$/.test(args[0] ?? '')) args = args.slice(1)
  if (args[0] === '--') args = args.slice(1)
  if (/^-(-version|v|-help)$/.test(args[0] ?? '')) return 'read'
  return /^-/.test(args[0] ?? '') ? 'run-programs' : startedTool(call, args, isTool)
}

function projectTasks(args: readonly string[], verbs: string): CommandClass {
  const end = args.indexOf('--')
  const { words } = partWords(end < 0 ? args : args.slice(0, end), {
    long: 'filter target targets projects parallel configuration base head cache-dir concurrency',
    letters: 'Ftpc',
  })
  const targets = args.flatMap((arg, i) =>
    /^(-t|--targets?)$/.test(arg) ? [args[i + 1] ?? ''] : (/^--targets?=(.*)/.exec(arg)?.[1] ?? []),
  )
  if (words.some((word) => /^(exec|dlx)$/.test(word))) return 'run-programs'
  if (hasOption(args, { long: 'fix write' })) return 'change'
  const named = [...words.filter((word) => !verbs.split(' ').includes(word)), ...targets].map(scriptByName)
  return named.find((is) => is !== 'build') ?? 'build'
}
