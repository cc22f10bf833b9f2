/** Runs the source checks: all of them, or those named on the command line. */
import { once } from 'node:events'
import { join } from 'node:path'
import { startTethered } from '../runtime/bin/launch.js'

const PACKAGES = join(import.meta.dirname, '../node_modules')
const TSC = join(PACKAGES, 'typescript/bin/tsc')

const CHECKS: Record<string, string[][]> = {
  lint: [[join(PACKAGES, '@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']],
  types: [checkTypes('tsconfig.json', 2), checkTypes('console/tsconfig.json', 1)],
  unused: [[join(PACKAGES, 'knip/bin/knip.js')]],
  copies: [
    [
      join(PACKAGES, 'jscpd/run-jscpd.js'),
      // Below 30 tokens, the closing tags and brackets of two components would count as a copy.
      ...['--min-lines', '11', '--min-tokens', '30', '--reporters', 'console', '--format', 'typescript,tsx,javascript'],
      // Both entries of the package list the types that they share.
      ...['--ignore', '**/*.test.ts,**/*.test.tsx,**/node_modules/**,**/runtime/src/client.ts'],
      ...['--exit-code', '1', '--fail-on-empty'],
      ...['runtime/src', 'runtime/bin', 'console/src', 'docs-site', 'scripts', 'bench', 'examples'],
    ],
  ],
  wording: [[join(import.meta.dirname, 'check-wording.ts')]],
}

/** What has not changed since the last time is not checked again. Each further checker computes much of the same again. */
function checkTypes(project: string, checkers: number): string[] {
  const known = join(PACKAGES, '.cache/types', `${project.replaceAll('/', '-')}.tsbuildinfo`)
  return [TSC, '--noEmit', '--checkers', `${checkers}`, '--incremental', '--tsBuildInfoFile', known, '-p', project]
}

/** The types beside the others: they take as long as all of those, and print nothing unless they are wrong. */
export async function checkSource(names: readonly string[] = Object.keys(CHECKS)): Promise<number> {
  const others = names.filter((name) => name !== 'types')
  const codes = await Promise.all([runInTurn(others), runInTurn(names.filter((name) => name === 'types'))])
  return codes.find((code) => code !== 0) ?? 0
}

/** Stops at the first check that fails. */
async function runInTurn(names: readonly string[]): Promise<number> {
  for (const command of names.flatMap((name) => CHECKS[name] ?? unknownCheck(name))) {
    const [code] = await once(startTethered(command), 'exit')
    if (code !== 0) return code ?? 1
  }
  return 0
}

function unknownCheck(name: string): never {
  throw new Error(`unknown check "${name}"; use one of ${Object.keys(CHECKS).join(', ')}`)
}

if (import.meta.main) {
  const names = process.argv.slice(2)
  process.exitCode = await checkSource(names.length === 0 ? undefined : names)
}
