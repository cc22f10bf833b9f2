import { expect, test } from 'vitest'
import { approvalWords } from './approval-words.ts'

test.each([
  ['git read', 'git commands that only read', '只读的 git 命令'],
  ['git commit', 'git commit', 'git commit'],
  ['file_write', 'every call of file_write', 'file_write 的所有调用'],
  ['shell touch', 'touch (in the shell)', 'touch（在 shell 中）'],
  ['shell git read', 'git commands that only read (in the shell)', '只读的 git 命令（在 shell 中）'],
  [
    'shell curl+git read GET http://127.0.0.1:80',
    'curl+git commands that only read GET http://127.0.0.1:80 (in the shell)',
    'curl+只读的 git 命令 GET http://127.0.0.1:80（在 shell 中）',
  ],
  ['shell git readme', 'git readme (in the shell)', 'git readme（在 shell 中）'],
  [
    'http_request POST https://a.example:443',
    'http_request POST https://a.example:443',
    'http_request POST https://a.example:443',
  ],
])('S1-99: an always for %j is told in words', (key, en, zh) => {
  expect([approvalWords(key, 'en'), approvalWords(key, 'zh')]).toEqual([en, zh])
})
