import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { packagePath } from '../base/package.ts'
import { ownCodeIn } from './own-code.ts'

test.each([
  ['above the package', dirname(packagePath())],
  ['the package itself', packagePath()],
  ['a folder of the package', join(packagePath(), 'src')],
])("Writ's own code is protected in a workspace that is %s", (_, workspace) => {
  expect(ownCodeIn([workspace])).toContain(packagePath())
})

test('nothing is protected where a workspace has nothing of Writ', () => {
  expect(ownCodeIn([tmpdir()])).toEqual([])
})
