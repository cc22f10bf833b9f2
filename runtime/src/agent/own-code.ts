/** Writ's own program files. A command that could change them would run as Writ, outside every sandbox, a moment later. */
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { packagePath } from '../base/package.ts'
import { isWithin } from '../tool/guard/paths.ts'

/** The package and the packages it uses, where commands can write them or a part of them. */
export function ownCodeIn(writable: readonly string[]): string[] {
  const used = createRequire(import.meta.url).resolve('zod')
  const packages = /^.*?\/node_modules(?=\/)/.exec(used)?.[0]
  const code = [packagePath(), ...(packages === undefined ? [] : [packages])]
  return code
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))
    .filter((path) => writable.some((root) => isWithin(path, root) || isWithin(root, path)))
}
