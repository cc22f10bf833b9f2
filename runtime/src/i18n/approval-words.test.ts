import { expect, test } from 'vitest'
import { approvalWords } from './approval-words.ts'

test.each([
  ['git read', 'read-only git commands', '只读的 git 命令'],
  ['git commit', 'git commit', 'git commit'],
  ['file_write', 'all calls of file_write', 'file_write 的所有调用'],
  ['apply_patch write', 'patches that change, create or rename files', '修改、创建或重命名文件的补丁'],
  ['apply_patch delete', 'patches that delete files', '删除文件的补丁'],
  ['shell frobnicate', 'frobnicate (in the shell)', 'frobnicate（在 shell 中）'],
  ['shell touch change', 'touch commands that change files (in the shell)', 'touch 的修改文件命令（在 shell 中）'],
  ['shell npm build', 'npm commands that build or test (in the shell)', 'npm 的构建和测试命令（在 shell 中）'],
  ['shell g++ build', 'g++ commands that build or test (in the shell)', 'g++ 的构建和测试命令（在 shell 中）'],
  ['shell > change', 'writing files with > (in the shell)', '用 > 写文件（在 shell 中）'],
  ['shell git fetch', 'git fetch (in the shell)', 'git fetch（在 shell 中）'],
  ['shell git read', 'read-only git commands (in the shell)', '只读的 git 命令（在 shell 中）'],
  [
    'shell curl fetch+git read GET http://127.0.0.1:80',
    'curl downloads+read-only git commands GET http://127.0.0.1:80 (in the shell)',
    'curl 的下载+只读的 git 命令 GET http://127.0.0.1:80（在 shell 中）',
  ],
  ['shell git readme', 'git readme (in the shell)', 'git readme（在 shell 中）'],
  [
    'http_request POST https://a.example:443',
    'http_request POST https://a.example:443',
    'http_request POST https://a.example:443',
  ],
])('S1-99: the standing approval %j is described in words', (key, en, zh) => {
  expect([approvalWords(key, 'en'), approvalWords(key, 'zh')]).toEqual([en, zh])
})
