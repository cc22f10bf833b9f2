/** Classes of build tools and compilers. */
import type { CommandClass } from '../../protocol/command.ts'
import { scriptByName } from './command-names.ts'
import { all, type CommandExamples, type CommandTable, option, worst } from './command-row.ts'
import { targets } from './command-runs.ts'
import { partWords, type Spelling } from './options.ts'

const MAKE: Spelling = { long: 'file makefile directory include-dir old-file what-if', letters: 'fCIoW' }
const GRADLE: Spelling = {
  long: 'project-dir exclude-task settings-file max-workers console tests project-cache-dir',
  letters: 'pxcb',
}
const MAVEN: Spelling = {
  long: 'file projects activate-profiles threads settings resume-from',
  letters: 'fPTs',
  not: 'fail',
}
/** Maven's longer options with one dash. */
const MAVEN_VALUED = /^-(pl|rf|gs|gt|ep|emp|b|l|t|am)$/
const runs = (spelling: Spelling) => option('run-programs', spelling)

export const BUILD_TABLE: CommandTable = {
  ...all(
    'make gmake',
    targets(MAKE, { options: [runs({ long: 'eval' })], words: [{ word: /^-f-|^\/dev\//, is: 'run-programs' }] }),
  ),
  just: targets(
    { long: 'justfile working-directory set', letters: 'fd' },
    { options: [runs({ long: 'shell shell-arg command', letters: 'c', valued: 'fd' })] },
  ),
  ...all('task mage invoke doit', targets({ long: 'taskfile dir', letters: 'td' }, {})),
  cmake: {
    is: 'build',
    words: [
      { word: /^-E$/, is: 'unknown' },
      // Variables that name a program, unless it is a usual compiler.
      {
        word: /^(-D)?\w*(COMPILER|LAUNCHER|LINKER|RULE|EMULATOR|MAKE_PROGRAM|EXECUTABLE)\w*(:\w+)?=(?!(\/usr\/bin\/)?(gcc|g\+\+|clang|clang\+\+|cc|c\+\+|ccache|sccache|ninja|make)(-\d+)?$)/,
        is: 'run-programs',
      },
      { word: /^--install/, is: 'change' },
    ],
    check: ({ args }) =>
      worst([
        'build',
        ...args.flatMap((arg, i) => (/^(-t|--target)$/.test(args[i - 1] ?? '') ? [scriptByName(arg)] : [])),
      ]),
  },
  ctest: { is: 'build' },
  ...all('ninja samu', targets({ letters: 'Cfjkldt' })),
  meson: {
    is: 'read',
    verbs: {
      build: 'setup, compile, test, configure, introspect',
      change: 'wrap, format, subprojects',
      system: 'install',
    },
  },
  ...all('bazel bazelisk', {
    is: 'read',
    verbs: {
      build: 'build, test, run, coverage, fetch',
      read: 'query, cquery, aquery, info, version, help, mod',
      change: 'clean, shutdown, sync',
    },
    options: [runs({ long: 'run_under' })],
    allows: '--output= --noimplicit_deps --keep_going',
  }),
  ...all('mvn mvnw', {
    is: 'build',
    takes: MAVEN,
    check: ({ args }) =>
      worst([
        'build',
        ...partWords(
          args.filter((_, i) => !MAVEN_VALUED.test(args[i - 1] ?? '')),
          MAVEN,
        ).words.map(mavenGoal),
      ]),
  }),
  ...all(
    'gradle gradlew',
    targets(GRADLE, { options: [runs({ long: 'init-script include-build', letters: 'I', valued: 'pxcb' })] }),
  ),
  ...all('ant sbt lein mill', targets({ letters: 'f', long: 'buildfile' })),
  dotnet: {
    is: 'read',
    verbs: {
      build: 'build, test, run, watch, msbuild, vstest',
      read: 'list, help, sln list, nuget list, workload list, tool list, ef migrations list, nuget locals',
      change:
        'restore, publish, clean, format, add, remove, new, pack, sln add, sln remove, ef migrations add, tool restore',
      publish: 'nuget push, nuget delete',
      remote: 'ef database',
      'run-programs': 'tool run, tool install, exec, script',
    },
    dry: { long: 'verify-no-changes' },
    allows:
      '--include-transitive --outdated --vulnerable --deprecated --format= --project= --list-sdks --list-runtimes --info',
  },
  swift: {
    is: 'unknown',
    verbs: {
      build: 'build, test, run',
      read: 'package describe, package show-dependencies, package dump-package',
      change: 'package resolve, package update, package clean',
    },
  },
  xcodebuild: targets({}),
  zig: {
    is: 'unknown',
    verbs: {
      build: 'build, test, build-exe, build-lib, ast-check',
      read: 'version, env, targets',
      change: 'fmt, init',
    },
    dry: { long: 'check' },
  },
  mix: {
    is: 'build',
    verbs: {
      build: 'test, compile, credo, dialyzer, xref, docs, run',
      read: 'deps, deps.tree, help, hex.outdated, hex.info, phx.routes',
      change: 'format, deps.get, deps.update, deps.compile, clean, new',
      publish: 'hex.publish, hex.retire',
    },
    options: [runs({ long: 'eval', letters: 'e' })],
    dry: { long: 'check-formatted dry-run' },
  },
  rebar3: {
    is: 'unknown',
    verbs: {
      build: 'compile, ct, eunit, dialyzer, xref, proper, lint',
      read: 'tree, deps, version',
      change: 'upgrade, fmt, get-deps',
      publish: 'hex',
    },
  },
  stack: {
    is: 'unknown',
    verbs: {
      build: 'build, test, bench, haddock',
      read: 'path, ls, list',
      change: 'clean, init, setup',
      publish: 'upload, sdist',
    },
  },
  cabal: {
    is: 'unknown',
    verbs: {
      build: 'build, test, bench, haddock, check, run',
      read: 'list, info, outdated, freeze',
      change: 'clean, update, init',
      publish: 'upload',
      'run-programs': 'install, exec',
    },
  },
  dune: { is: 'unknown', verbs: { build: 'build, test, runtest, exec', change: 'clean, fmt, promote' } },
  ...all('ghc kotlinc', {
    is: 'build',
    words: [{ word: /^-(e|expression|script|pgm|F$|Xplugin|fplugin)|^@/, is: 'run-programs' }],
  }),
  ...all('gcc g++ cc c++ clang clang++ ld ar nasm javac scalac ocamlc elm protoc flutter-lint', {
    is: 'build',
    words: [
      {
        word: /^-(wrapper|fplugin|specs|B|plugin|processor|Xplugin|J-|pp)|^@|^-Xclang$|-plugin[=,]/,
        is: 'run-programs',
      },
    ],
  }),
  java: { is: 'build', words: [{ word: /^-(agentpath|agentlib|javaagent)|^-XX:On|^@|^https?:/, is: 'run-programs' }] },
  'clang-format': {
    is: 'read',
    options: [option('change', { letters: 'i' })],
    allows: 'n --style= --dry-run --Werror -style= --assume-filename= --sort-includes --lines=',
  },
  'clang-tidy': { is: 'build', words: [{ word: /^--?fix/, is: 'change' }] },
  ...all(
    'cppcheck shellcheck hadolint yamllint actionlint cpplint include-what-you-use ktlint detekt bats hugo jekyll ginkgo mockery sqlc wasm-pack forge hardhat solc swiftformat rdoc asciidoctor pandoc-lint checkstyle spectral vale proselint lychee typos gitleaks semgrep scalafmt swiftlint sqlfluff taplo dotenv-linter editorconfig-checker',
    {
      is: 'build',
      options: [
        option('change', {
          long: 'fix autofix autocorrect auto-correct write-changes format in-place',
          letters: 'w',
          not: 'f fo for form forma format',
        }),
      ],
    },
  ),
  shfmt: {
    is: 'read',
    options: [option('change', { long: 'write', letters: 'w' })],
    allows: '-d -l -s -mn -i= -bn -ci -sr -kp -fn -ln= -p -f --diff --list --simplify --indent=',
  },
  codespell: {
    is: 'read',
    options: [option('change', { long: 'write-changes', letters: 'w' })],
    allows:
      'fHL:S:I:x:d:q:C:A:B: --ignore-words-list= --skip= --ignore-words= --quiet-level= --count --check-filenames --check-hidden',
  },
  buf: {
    is: 'read',
    verbs: {
      build: 'lint, build, breaking, format, generate, ls-files',
      publish: 'push, registry',
      change: 'dep, mod',
    },
    options: [option('change', { long: 'write', letters: 'w' })],
  },
  ...all('flutter dart', {
    is: 'read',
    verbs: {
      build: 'analyze, test, build, run, compile, doc',
      read: 'doctor, devices, pub deps, pub outdated, info',
      change: 'format, fix, clean, create, pub get, pub add, pub upgrade, pub remove',
      publish: 'pub publish, pub lish',
      'run-programs': 'pub global',
    },
    dry: { long: 'dry-run' },
  }),
}

export const BUILD_EXAMPLES: CommandExamples = {
  build: [
    'make -j4 test',
    'make',
    'make -n release',
    'just lint',
    'cmake --build build --target unit',
    'mvn -q test',
    './gradlew :app:test',
    'dotnet build',
    'gcc -o a a.c',
    'go vet ./...',
  ],
  read: ['make --version', 'shfmt -d a.sh', 'mix deps.tree'],
  change: ['semgrep --autofix .', 'make clean', 'mvn clean', 'gradle clean', 'dotnet format', 'clang-format -i a.c'],
  publish: [
    'make release',
    'make deploy ENV=prod',
    'mvn -B deploy',
    './gradlew publishToMavenCentral',
    'dotnet nuget push a',
    'just publish',
    'mvn release:perform',
  ],
  'run-programs': ['make SHELL=/tmp/x test', 'make "CC=sh -c id" all', 'gradle -I x.gradle build', 'make --eval=x'],
  unknown: ['cmake -E rm a', 'mvn exec:java', 'stack frobnicate'],
}

const MAVEN_READS = /^(dependency:(tree|list|analyze)|help:\w+|versions:display-\w+(-\w+)*)$/

function mavenGoal(goal: string): CommandClass {
  if (MAVEN_READS.test(goal)) return 'read'
  const named = scriptByName(goal)
  if (goal === 'install') return 'change'
  if (named !== 'build' && named !== 'change') return named
  const isPlugin =
    goal.includes(':') &&
    !/^(surefire|failsafe|compiler|checkstyle|spotbugs|pmd|jacoco|spotless|javadoc|resources|jar):/.test(goal)
  return isPlugin ? 'unknown' : named
}
