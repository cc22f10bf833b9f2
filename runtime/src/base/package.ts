/** Where this package is installed. One place knows: modules lie elsewhere in a bundle than in the sources. */
import { readFileSync, realpathSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

const DESCRIPTION = findPackageJSON('.', import.meta.url) ?? join(import.meta.dirname, 'package.json')

const PACKAGE_ROOT = dirname(DESCRIPTION)

export function packagePath(...parts: string[]): string {
  return join(PACKAGE_ROOT, ...parts)
}

/** A real path: package managers link packages, and a sandbox does not follow links. */
export function dependencyPath(name: string, ...parts: string[]): string {
  const description = findPackageJSON(name, import.meta.url)
  if (description === undefined) throw new Error(`${name} is not installed`)
  return join(dirname(realpathSync(description)), ...parts)
}

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(DESCRIPTION, 'utf8')) as { version: string }
  return version
}
