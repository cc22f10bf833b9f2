/** Classes of the tools of Ruby and PHP, and of other interpreters. */
import { scriptByName } from './command-names.ts'
import { all, type CommandExamples, type CommandTable, option } from './command-row.ts'
import { fixes, interpreter, runTool, targets } from './command-runs.ts'
import { partWords } from './options.ts'

export const SCRIPT_TABLE: CommandTable = {
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
    allows: '--outdated --strict --name-only --paths --parseable',
    check: (call) => runTool(call, 'exec', isTool),
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
    allows: 'lrad --local --remote --all --details --versions --exact',
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
    allows: 'g:c:E --grep= --controller= --expanded',
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
    allows:
      'iosDlatTAn --installed --outdated --direct --tree --latest --all --platform --format= --no-dev --no-interaction --strict --no-plugins --no-scripts --no-ansi --locked',
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

export const SCRIPT_EXAMPLES: CommandExamples = {
  read: ['bundle list', 'composer show', 'rails routes'],
  build: ['bundle exec rspec', 'php vendor/bin/phpunit', 'composer test'],
  change: ['rubocop -a'],
  publish: ['gem push a.gem'],
  remote: ['rails db:migrate', 'rake db:seed'],
  'run-programs': ["perl -e 'unlink glob(1)'"],
}

function isTool(name: string): boolean {
  return Object.hasOwn(SCRIPT_TABLE, name)
}
