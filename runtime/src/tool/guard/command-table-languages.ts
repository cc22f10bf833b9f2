/** Classes of the tools of Rust, Go and Python. */
import type { CommandClass } from '../../protocol/command.ts'
import { inlineClass } from './command-code.ts'
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
import {
  fixes,
  interpreter,
  moduleOf,
  PYTHON,
  runTool,
  scriptClass,
  startedModule,
  startedTool,
} from './command-runs.ts'
import { partWords } from './options.ts'

/** Changes files, unless asked only to check. */
const formats = (long: string, letters = ''): CommandRow => ({ is: 'change', dry: { long, letters } })
const PIP_LISTS =
  'oul --outdated --uptodate --user --local --editable --format= --not-required --files --exclude= --disable-pip-version-check'
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
    allows:
      'de:i: --duplicates --edges= --invert= --depth= --prefix= --format= --format-version= --no-deps --all-features --no-default-features --locked --offline --frozen --workspace --limit= --root-deps-only',
  },
  rustc: { is: 'build' },
  rustfmt: formats('check'),
  rustup: {
    is: 'read',
    verbs: { read: 'show, toolchain list, target list, component list, which, check, doc, help' },
    allows: '--installed --toolchain=',
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
    allows: '-m -u -f= -json -deps -test -e -versions -retracted -find -all -src -short -c -cmd -changed',
  },
  ...all('gofmt goimports gofumpt', {
    is: 'read',
    options: [option('change', { letters: 'w' })],
    allows: 'ldser:',
  }),
  'golangci-lint': {
    is: 'read',
    verbs: { build: 'run', read: 'linters, version, help, config path', change: 'fmt' },
    options: [option('change', { long: 'fix' })],
  },
  ...all('staticcheck govulncheck errcheck revive ineffassign gosec gotestsum benchstat', { is: 'build' }),
  goreleaser: { is: 'unknown', verbs: { build: 'check, build, healthcheck', publish: 'release, publish, announce' } },

  ...all('python python2 python3', {
    is: 'unknown',
    allows: ANY,
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
    allows: PIP_LISTS,
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
    check: (call) => runTool(call, 'run', isTool),
    allows: `${PIP_LISTS} --depth= --frozen --locked --offline --package= --invert --no-dev --no-hashes --all-groups`,
  },
  uvx: { is: 'unknown', check: (call) => startedTool(call, call.args, isTool), allows: ANY },
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
    check: (call) => runTool(call, 'run', isTool),
    allows: 'tloT --tree --latest --outdated --top-level --only= --with= --without= --no-interaction',
  }),
  ...all('conda mamba micromamba', {
    is: 'read',
    verbs: {
      read: 'list, info, env list, search, config show',
      change: 'install, update, create, remove, env create, env update',
    },
    allows: 'en:p: --name= --prefix= --envs --export --explicit',
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
  'json.tool': {
    is: 'read',
    most: 1,
    allows: '--sort-keys --json-lines --indent= --tab --no-indent --compact --no-ensure-ascii',
  },
  zipfile: { is: 'read', allows: 'l:t: --list= --test=' },
  site: { is: 'read', allows: '--user-base --user-site' },
  pydoc: { is: 'read', allows: 'k:' },
  ...all('sysconfig platform', { is: 'read' }),
  ...all('tokenize ast dis', { is: 'read', allows: 'em:ai: --exact --mode= --include-attributes --indent=' }),
  ...all('venv virtualenv ensurepip', { is: 'change', options: [option('lose-work', { long: 'clear' })] }),
  ...all('http.server smtpd xmlrpc.server', { is: 'run-programs' }),
}

const PYTHON_ROW = interpreter({
  takes: PYTHON,
  code: { letters: 'c', valued: 'WXQ' },
  reads: { long: 'version help', letters: 'Vh', valued: 'WXQ' },
})

export const LANGUAGE_EXAMPLES: CommandExamples = {
  read: ['cargo tree', 'go list ./...', 'pip list', 'python -V', 'uv tree', 'gofmt -l .'],
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
    'cargo run -- a',
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
  ],
  publish: [
    'cargo publish',
    'cargo +nightly publish',
    'cargo yank a',
    'twine upload dist/a',
    'python3 -m twine upload a',
    'uv publish',
    'mkdocs gh-deploy',
    'python scripts/deploy.py',
  ],
  remote: ['alembic upgrade head', 'python manage.py migrate'],
  'run-programs': [
    'pip install https://example.com/a.tar.gz',
    'go run example.com/x/y@latest',
    'cargo install x',
    'cargo --config a=b build',
    'go test -exec sh ./...',
    'python -m http.server',
    'python -c "import shutil; shutil.rmtree(\'src\')"',
    'uvx cowsay',
    'pip install -i https://example.com/simple x',
  ],
  unknown: ['python -m json.tool a b', 'python -m frobnicate', 'cargo frobnicate', 'python', 'go frobnicate'],
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
  if (known !== 'unknown' || !name.includes('.') || isTool(name)) return module.length === 0 ? 'unknown' : known
  // `app.main` is a module of the project, unless a known tool contains it.
  const [owner = '', ...path] = name.split('.')
  return isTool(owner) ? classOf([owner, ...args]) : scriptClass([[owner, ...path].join('-'), ...args])
}

function isTool(name: string): boolean {
  return Object.hasOwn(LANGUAGE_TABLE, name)
}
