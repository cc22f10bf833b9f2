import { expect, test } from 'vitest'
import { approvalWords } from './approval-words.ts'

test.each([
  ['git read', 'read-only git commands', '只读的 git 命令'],
  ['git commit', 'git commit', 'git commit'],
  ['file_write', 'all calls of file_write', 'file_write 的所有调用'],
  ['apply_patch write', 'patches that change, create or rename files', '修改、创建或重命名文件的补丁'],
  ['apply_patch delete', 'patches that delete files', '删除文件的补丁'],
  ['shell touch', 'touch (in the shell)', 'touch（在 shell 中）'],
  ['shell git read', 'read-only git commands (in the shell)', '只读的 git 命令（在 shell 中）'],
  [
    'shell curl+git read GET http://127.0.0.1:80',
    'curl+read-only git commands GET http://127.0.0.1:80 (in the shell)',
    'curl+只读的 git 命令 GET http://127.0.0.1:80（在 shell 中）',
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
