/** Classes of the tools of Rust, Go, Python, Ruby and PHP. */
import type { CommandClass } from '../../protocol/command.ts'
import { inlineClass } from './command-code.ts'
import { scriptByName } from './command-names.ts'
import {
  all,
  type CommandCall,
  type CommandExamples,
  type CommandRow,
  type CommandTable,
  option,
  worst,
} from './command-row.ts'
import { interpreter, moduleOf, PYTHON, scriptClass, startedModule, startedTool, targets } from './command-runs.ts'
import { hasOption, partWords } from './options.ts'

/** Checks by default, changes files with these options. */
const fixes = (long: string, letters = ''): CommandRow => ({
  is: 'build',
  options: [option('change', { long, letters })],
})
/** Changes files, unless asked only to check. */
const formats = (long: string, letters = ''): CommandRow => ({ is: 'change', dry: { long, letters } })
const PIP_READS =
  'list, show, freeze, check, index versions, config list, config get, help, debug, inspect, cache list, cache info, cache dir, tree'

export const LANGUAGE_TABLE: CommandTable = {
  cargo: {
    is: 'read',
    takes: { long: 'color manifest-path config target-dir package features target explain', letters: 'CZpFj' },
    verbs: {
      read: 'tree, metadata, search, info, locate-project, pkgid, read-manifest, version, help, verify-project, outdated, audit, machete, about',
      build:
        'build, b, check, c, test, t, clippy, doc, d, bench, run, r, rustc, rustdoc, nextest run, nextest list, llvm-cov, tarpaulin, expand, miri, udeps, deny, bloat, hack, criterion, semver-checks, asm, insta',
      change:
        'fmt, add, remove, rm, update, generate-lockfile, fix, init, new, fetch, vendor, clean, package, sort, upgrade',
      publish: 'publish, yank, owner, release, smart-release',
      credentials: 'login, logout',
      'run-programs': 'install, uninstall, binstall',
    },
    options: [option('change', { long: 'fix' }), option('run-programs', { long: 'config', not: 'c co con' })],
    dry: { long: 'check dry-run' },
  },
  rustc: { is: 'build' },
  rustfmt: formats('check'),
  rustup: {
    is: 'read',
    verbs: { read: 'show, toolchain list, target list, component list, which, check, doc, help' },
    other: 'system',
  },
  go: {
    is: 'read',
    verbs: {
      read: 'list, version, doc, help, env, mod graph, mod why, mod verify',
      build: 'build, test, vet, run, tool',
      change:
        'fmt, generate, get, clean, fix, mod tidy, mod download, mod vendor, mod edit, mod init, work init, work use, work sync, work edit, install',
      credentials: 'telemetry',
    },
    words: [
      { word: /^--?(exec|toolexec|vettool)(=|$)/, is: 'run-programs' },
      { word: /^[\w.-]+\.[a-z]+\/.+@/, is: 'run-programs' },
    ],
    check: checkGo,
  },
  ...all('gofmt goimports gofumpt', { is: 'read', options: [option('change', { letters: 'w' })] }),
  'golangci-lint': {
    is: 'read',
    verbs: { build: 'run', read: 'linters, version, help, config path', change: 'fmt' },
    options: [option('change', { long: 'fix' })],
  },
  ...all('staticcheck govulncheck errcheck revive ineffassign gosec gotestsum benchstat', { is: 'build' }),
  goreleaser: { is: 'unknown', verbs: { build: 'check, build, healthcheck', publish: 'release, publish, announce' } },

  ...all('python python2 python3', {
    is: 'unknown',
    check: (call) => {
      const module = moduleOf(call.args)
      return module === undefined ? (PYTHON_ROW.check?.(call) ?? 'unknown') : moduleClass(call, module)
    },
  }),
  ...all('pip pip3', {
    is: 'read',
    verbs: {
      read: PIP_READS,
      change: 'install, uninstall, download, wheel, lock',
      credentials: 'config set, config edit',
    },
    options: [
      option('run-programs', {
        long: 'index-url extra-index-url find-links trusted-host',
        letters: 'i',
        valued: 'rcetf',
      }),
    ],
    words: [{ word: /^([a-z+]+:\/\/|git\+)|@ ?[a-z+]+:\/\//i, is: 'run-programs' }],
    dry: { long: 'dry-run' },
  }),
  uv: {
    is: 'read',
    takes: { long: 'directory project python config-file', letters: 'p' },
    verbs: {
      read: `tree, export, version, help, python list, python find, tool list, cache dir, ${PIP_READS.split(', ')
        .map((verb) => `pip ${verb}`)
        .join(', ')}`,
      build: 'run, build, format',
      change:
        'sync, lock, add, remove, venv, init, pip install, pip uninstall, pip sync, pip compile, cache clean, cache prune',
      publish: 'publish',
      'run-programs': 'tool run, tool install, x, python install',
      credentials: 'auth',
    },
    check: (call) => runTool(call, 'run'),
  },
  uvx: { is: 'unknown', check: (call) => startedTool(call, call.args, isTool) },
  ...all('poetry pdm pipenv hatch rye', {
    is: 'read',
    verbs: {
      read: 'show, list, check, about, version, env info, env list, env show, search, graph, info, config list, dep show, status',
      build: 'run, build, test, fmt, lint',
      change:
        'install, add, remove, update, lock, sync, init, new, venv, env use, export, self update, clean, env create',
      publish: 'publish',
      credentials: 'config',
    },
    check: (call) => runTool(call, 'run'),
  }),
  ...all('conda mamba micromamba', {
    is: 'read',
    verbs: {
      read: 'list, info, env list, search, config show',
      change: 'install, update, create, remove, env create, env update',
    },
  }),
  ...all(
    'pytest py.test mypy pyright basedpyright pyre flake8 pylint bandit vulture pydocstyle interrogate nox sphinx-build unittest doctest compileall py_compile behave radon xenon pytype dmypy ty deptry pyflakes pycodestyle pipdeptree pip-licenses pip-audit safety nbval build maturin',
    { is: 'build' },
  ),
  tox: {
    is: 'build',
    options: [option('run-programs', { long: 'override', letters: 'x', valued: 'efctp' })],
    check: ({ args }) => (args.some((arg) => /^(exec|e|devenv|d)$/.test(arg)) ? 'run-programs' : 'build'),
  },
  coverage: {
    is: 'read',
    verbs: { build: 'run, report, html, xml, json, lcov, combine, erase, debug' },
    check: startedModule,
  },
  ...all('cProfile profile trace', { is: 'build', check: startedModule }),
  timeit: {
    is: 'unknown',
    check: ({ args }) =>
      worst(partWords(args, { long: 'setup number repeat unit', letters: 'snru' }).words.map(inlineClass)),
  },
  ruff: {
    is: 'read',
    verbs: { build: 'check, rule, config, linter, version', change: 'format, clean' },
    options: [option('change', { long: 'fix unsafe-fixes add-noqa', not: 'f' })],
    dry: { long: 'check diff' },
  },
  black: formats('check diff'),
  isort: formats('check check-only diff', 'c'),
  ...all('autopep8 yapf', fixes('in-place', 'i')),
  ...all('autoflake pyupgrade', { is: 'change', dry: { long: 'check' } }),
  'pre-commit': {
    is: 'read',
    verbs: {
      change: 'run, install, autoupdate, clean, uninstall, install-hooks',
      read: 'sample-config, validate-config',
    },
  },
  mkdocs: { is: 'read', verbs: { build: 'build, serve, get-deps', publish: 'gh-deploy', change: 'new' } },
  twine: { is: 'unknown', verbs: { build: 'check', publish: 'upload, register' } },
  alembic: {
    is: 'read',
    verbs: { read: 'current, history, heads, show, branches, check', change: 'revision, init, merge' },
    other: 'remote',
  },
  ...all('uvicorn gunicorn hypercorn', { is: 'build' }),
  flask: { is: 'read', verbs: { build: 'run', read: 'routes' } },
  ...all('json.tool site sysconfig platform pydoc tokenize ast dis zipfile', { is: 'read' }),
  ...all('venv virtualenv ensurepip', { is: 'change', options: [option('lose-work', { long: 'clear' })] }),
  ...all('http.server smtpd xmlrpc.server', { is: 'run-programs' }),

  ruby: interpreter({
    takes: { letters: 'rICE' },
    code: { letters: 'e', valued: 'rICE' },
    reads: { long: 'version help', letters: 'vc', valued: 'rICE' },
  }),
  bundle: {
    is: 'change',
    verbs: {
      read: 'list, show, info, outdated, check, platform, env, licenses, help, config list, version',
      build: 'exec',
      change: 'install, update, add, remove, lock, clean, package, cache, init',
      'run-programs': 'config, gem',
    },
    check: (call) => runTool(call, 'exec'),
  },
  gem: {
    is: 'read',
    verbs: {
      read: 'list, info, search, which, environment, env, specification, contents, dependency, outdated, help',
      change: 'build, cleanup',
      publish: 'push, yank, owner',
      credentials: 'signin, signout, cert',
      'run-programs': 'install, update, uninstall, exec',
    },
  },
  rake: targets(
    { long: 'rakefile', letters: 'fI' },
    {
      options: [
        option('run-programs', { long: 'execute execute-print execute-continue', letters: 'epE', valued: 'fI' }),
      ],
    },
  ),
  ...all('rspec cucumber minitest brakeman srb reek', { is: 'build' }),
  ...all('rubocop standardrb erblint', fixes('autocorrect autocorrect-all auto-correct fix fix-layout', 'aAx')),
  rails: {
    is: 'read',
    verbs: {
      read: 'routes, stats, notes, about, middleware, version, initializers',
      build: 'test, server, s, t, assets:precompile',
      'run-programs': 'runner, console, r, c, dbconsole, db',
    },
    other: ({ args }) => scriptByName(args.find((arg) => !arg.startsWith('-')) ?? ''),
  },

  php: {
    ...interpreter({
      takes: { long: 'define ini', letters: 'cdz' },
      code: { long: 'run', letters: 'rBRE', valued: 'cdz' },
      reads: { long: 'version modules info syntax-check ini', letters: 'vlmi', valued: 'cdz' },
    }),
    // Settings that load code or start programs.
    words: [{ word: /(auto_(pre|ap)pend_file|allow_url|extension|preload|sendmail_path|ffi\.)/i, is: 'run-programs' }],
  },
  composer: {
    is: 'read',
    takes: { long: 'working-dir', letters: 'd' },
    verbs: {
      read: 'show, info, outdated, validate, check-platform-reqs, why, depends, why-not, prohibits, licenses, audit, status, diagnose, search, list, help, about, fund',
      build: 'run-script, run',
      change:
        'install, i, update, u, upgrade, require, r, remove, rm, dump-autoload, dumpautoload, init, bump, archive, clear-cache',
      'run-programs': 'create-project, config, exec',
      system: 'global, self-update',
    },
    other: ({ args }) => scriptByName(partWords(args, { long: 'working-dir', letters: 'd' }).words[0] ?? ''),
    check: ({ args }) => {
      const { words } = partWords(args, { long: 'working-dir', letters: 'd' })
      return /^run(-script)?$/.test(words[0] ?? '') ? scriptByName(words[1] ?? '') : 'read'
    },
  },
  ...all('phpunit phpstan psalm pest phpcs phpmd paratest phan deptrac', { is: 'build' }),
  phpcbf: { is: 'change' },
  'php-cs-fixer': {
    is: 'read',
    verbs: { build: 'check', change: 'fix', read: 'list-files, describe' },
    dry: { long: 'dry-run' },
  },
  rector: { is: 'change', dry: { long: 'dry-run', letters: 'n' } },
  pint: { is: 'change', dry: { long: 'test' } },
  ...all(
    'perl lua luajit Rscript julia elixir erl ghci tclsh osascript pwsh groovy scala kotlin',
    interpreter({
      takes: {},
      code: { long: 'eval execute command e E', letters: 'eEc' },
      reads: { long: 'version help', letters: 'vV' },
    }),
  ),
}

const PYTHON_ROW = interpreter({
  takes: PYTHON,
  code: { letters: 'c', valued: 'WXQ' },
  reads: { long: 'version help', letters: 'Vh', valued: 'WXQ' },
})

export const LANGUAGE_EXAMPLES: CommandExamples = {
  read: [
    'cargo tree',
    'go list ./...',
    'pip list',
    'python -V',
    'uv tree',
    'bundle list',
    'composer show',
    'gofmt -l .',
    'rails routes',
  ],
  build: [
    'cargo check',
    'cargo +nightly test -p a',
    'cargo fmt --all -- --check',
    'go test ./...',
    'go run ./cmd/a',
    'pytest -q',
    'python -m pytest',
    'python scripts/x.py',
    'python -c "import sys; print(sys.path)"',
    'ruff check .',
    'black --check .',
    'uv run pytest -q',
    'bundle exec rspec',
    'php vendor/bin/phpunit',
    'cargo run -- a',
    'composer test',
  ],
  change: [
    'cargo fmt',
    'cargo clippy --fix',
    'go mod tidy',
    'pip install -r requirements.txt',
    'ruff format .',
    'ruff check --fix',
    'black .',
    'python -m venv .venv',
    'rubocop -a',
  ],
  publish: [
    'cargo publish',
    'cargo +nightly publish',
    'cargo yank a',
    'twine upload dist/a',
    'python3 -m twine upload a',
    'uv publish',
    'gem push a.gem',
    'mkdocs gh-deploy',
    'python scripts/deploy.py',
  ],
  remote: ['alembic upgrade head', 'python manage.py migrate', 'rails db:migrate', 'rake db:seed'],
  'run-programs': [
    'pip install https://example.com/a.tar.gz',
    'go run example.com/x/y@latest',
    'cargo install x',
    'cargo --config a=b build',
    'go test -exec sh ./...',
    'python -m http.server',
    'python -c "import shutil; shutil.rmtree(\'src\')"',
    'uvx cowsay',
    "perl -e 'unlink glob(1)'",
    'pip install -i https://example.com/simple x',
  ],
  unknown: ['python -m frobnicate', 'cargo frobnicate', 'python', 'go frobnicate'],
}

function checkGo({ args }: CommandCall): CommandClass {
  const [verb = '', ...rest] = args
  if (verb === 'env') return rest.some((arg) => /^-(w|u)/.test(arg)) ? 'change' : 'read'
  if (verb !== 'run') return 'read'
  const [target = ''] = rest.filter((arg) => !arg.startsWith('-'))
  return /^\.|\.go$|^[\w/-]+$/.test(target) ? 'build' : 'run-programs'
}

function moduleClass({ classOf }: CommandCall, module: readonly string[]): CommandClass {
  const [name = '', ...args] = module
  const known = classOf(module)
  if (known !== 'unknown' || !name.includes('.')) return module.length === 0 ? 'unknown' : known
  // `app.main` is a module of the project, unless a known tool contains it.
  const [owner = '', ...path] = name.split('.')
  return isTool(owner) ? classOf([owner, ...args]) : scriptClass([[owner, ...path].join('-'), ...args])
}

function isTool(name: string): boolean {
  return Object.hasOwn(LANGUAGE_TABLE, name)
}

/** `uv run pytest`, `bundle exec rspec`. */
function runTool(call: CommandCall, verb: string): CommandClass {
  const at = call.args.indexOf(verb)
  if (at < 0) return 'read'
  let rest = call.args.slice(at + 1)
  while (
    /^(--(frozen|locked|no-sync|all-extras|all-groups|isolated|dev|extra|group|package|python|only-group)|-[qp])(=|$)/.test(
      rest[0] ?? '',
    )
  )
    rest = rest.slice(/^--(extra|group|package|python|only-group)$|^-p$/.test(rest[0] ?? '') ? 2 : 1)
  if (hasOption(rest.slice(0, 1), { long: 'with with-requirements with-editable script', letters: 'w' }))
    return 'run-programs'
  const [first = ''] = rest
  if (/\.(py|rb)$/.test(first)) return scriptClass(rest)
  return first.startsWith('-') || first === '' ? 'unknown' : startedTool(call, rest, isTool)
}
