import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message, ToolCall } from '../protocol/message.ts'
import { decodeJson, renderForJson } from './dialect-json.ts'
import { decodeNative } from './dialect-native.ts'
import type { Completion, ModelRequest } from './model.ts'
import { rulesModel } from './rules.ts'

const EVERY_TOOL = [
  'file_read',
  'file_write',
  'file_list',
  'file_search',
  'shell',
  'git',
  'http_request',
  'json_transform',
  'memory_store',
  'memory_recall',
  'explore',
  'search_docs',
]
const never = new AbortController().signal
const specs = (names: string[]) => names.map((name) => ({ name, description: name, schema: {} }))

async function ask(request: ModelRequest): Promise<Completion> {
  const answer = rulesModel({ dispatch: 'explore' }).ask(request, never)
  for (let next = await answer.next(); ; next = await answer.next()) if (next.done) return next.value
}

type World = (call: ToolCall) => string

/** Plays a whole turn: every proposed call gets an answer from `world`. */
async function play(
  task: string,
  world: World = () => 'ok',
  options: { tools?: string[]; purpose?: 'main' | 'scout:1' } = {},
) {
  const messages: Message[] = [{ role: 'user', content: task }]
  const calls: [string, unknown][] = []
  let n = 0
  for (let step = 0; step < 12; step++) {
    const { tools = EVERY_TOOL, purpose = 'main' } = options
    const completion = await ask({ purpose, system: '', messages, tools: specs(tools), stream: false })
    const reply = decodeNative(completion, (prefix) => `${prefix}_${++n}`)
    if (reply.kind === 'malformed') throw new Error(reply.error)
    if (reply.kind === 'final') return { calls, text: reply.text }
    messages.push({ role: 'assistant', content: reply.text, calls: reply.calls })
    for (const call of reply.calls) {
      calls.push([call.tool, call.args])
      messages.push({ role: 'tool', callId: call.id, tool: call.tool, content: world(call) })
    }
  }
  throw new Error('no end')
}

const first = async (task: string, tools = EVERY_TOOL) => (await play(task, () => 'ok', { tools })).calls[0]

describe('one request, one call', () => {
  test.each<[string, string, unknown]>([
    ['list the files', 'file_list', { path: '.' }],
    ['List the files in src', 'file_list', { path: 'src' }],
    ['ls docs/guides', 'file_list', { path: 'docs/guides' }],
    ['What files are here?', 'file_list', { path: '.' }],
    ["what's in the src folder?", 'file_list', { path: 'src' }],
    ['看看当前目录有什么', 'file_list', { path: '.' }],
    ['列出 src 目录下的文件', 'file_list', { path: 'src' }],
    ['列出文件', 'file_list', { path: '.' }],
    ['这里有哪些文件？', 'file_list', { path: '.' }],
    ['read package.json', 'file_read', { path: 'package.json' }],
    ['Please show me the file "my notes.txt"', 'file_read', { path: 'my notes.txt' }],
    ['what does docs/a.md say?', 'file_read', { path: 'docs/a.md' }],
    ['读取 docs/说明.md', 'file_read', { path: 'docs/说明.md' }],
    ['读取 说明.md', 'file_read', { path: '说明.md' }],
    ['读取docs/a.md', 'file_read', { path: 'docs/a.md' }],
    ['请帮我看看 package.json', 'file_read', { path: 'package.json' }],
    ['config.yaml 里写了什么', 'file_read', { path: 'config.yaml' }],
    ['search for TODO in src', 'file_search', { pattern: 'TODO', path: 'src' }],
    ['find "a.b(c)"', 'file_search', { pattern: 'a\\.b\\(c\\)' }],
    ['search for salt and pepper', 'file_search', { pattern: 'salt and pepper' }],
    ['在 src 里搜索 gate', 'file_search', { pattern: 'gate', path: 'src' }],
    ['搜索 超时', 'file_search', { pattern: '超时' }],
    ['search the docs for writ', 'search_docs', { query: 'writ' }],
    ['git status', 'git', { args: ['status'] }],
    ['what has changed?', 'git', { args: ['status'] }],
    ['有哪些改动', 'git', { args: ['status'] }],
    ['show the last 3 commits', 'git', { args: ['log', '--oneline', '-n', '3'] }],
    ['最近5次提交', 'git', { args: ['log', '--oneline', '-n', '5'] }],
    ['show the last commit', 'git', { args: ['log', '--oneline', '-n', '1'] }],
    ["what is the latest commit's message?", 'git', { args: ['log', '--oneline', '-n', '1'] }],
    ['show the most recent git commit', 'git', { args: ['log', '--oneline', '-n', '1'] }],
    ['显示最后一次提交', 'git', { args: ['log', '--oneline', '-n', '1'] }],
    ['看看最近一次提交', 'git', { args: ['log', '--oneline', '-n', '1'] }],
    ['最新提交是什么', 'git', { args: ['log', '--oneline', '-n', '1'] }],
    ['show the last commits', 'git', { args: ['log', '--oneline', '-n', '10'] }],
    ['最近的提交', 'git', { args: ['log', '--oneline', '-n', '10'] }],
    ['show the latest commit history', 'git', { args: ['log', '--oneline', '-n', '10'] }],
    ['show me the git diff', 'git', { args: ['diff'] }],
    ['fetch https://example.com/a?b=1,2.', 'http_request', { url: 'https://example.com/a?b=1,2' }],
    ['抓取 https://example.com/页面', 'http_request', { url: 'https://example.com/页面' }],
    ['remember that I like tea, coffee and cake', 'memory_store', { content: 'I like tea, coffee and cake' }],
    ['记住：我的生日是五月，喜欢红色', 'memory_store', { content: '我的生日是五月，喜欢红色' }],
    ['what do you remember about my birthday?', 'memory_recall', { query: 'my birthday' }],
    ['你还记得我的生日吗', 'memory_recall', { query: '我的生日' }],
    ['你记得我什么', 'memory_recall', { query: '我' }],
    ['你还记得我叫什么吗？', 'memory_recall', { query: '我叫' }],
    ['what do you remember about me?', 'memory_recall', { query: 'I me my we us our' }],
    ['write hello to notes.txt', 'file_write', { path: 'notes.txt', content: 'hello' }],
    [
      'save hello world into a new file called out/notes.txt',
      'file_write',
      { path: 'out/notes.txt', content: 'hello world' },
    ],
    ['run `npm test -- --watch=false`', 'shell', { command: 'npm test -- --watch=false' }],
    ['运行命令：ls -la', 'shell', { command: 'ls -la' }],
    [
      'create a file notes.txt with the content "a, b and c"',
      'file_write',
      { path: 'notes.txt', content: 'a, b and c' },
    ],
    ['write "hello. world" to out/x.txt', 'file_write', { path: 'out/x.txt', content: 'hello. world' }],
    ['创建文件 a.txt，内容是“你好，世界”', 'file_write', { path: 'a.txt', content: '你好，世界' }],
    ['把“你好”写入 b.txt', 'file_write', { path: 'b.txt', content: '你好' }],
    ['transform {"a":[1,2]} with a[0]', 'json_transform', { input: { a: [1, 2] }, expression: 'a[0]' }],
  ])('%s → %s %j', async (task, tool, args) => {
    expect(await first(task)).toEqual([tool, args])
  })

  test('comparing subjects in the documents starts one scout for each', async () => {
    const [tool, args] = (await first('compare sqlite and postgres in the docs')) ?? []
    expect(tool).toBe('explore')
    expect(args).toEqual({
      tasks: ['Find what the documents say about sqlite', 'Find what the documents say about postgres'],
    })
    const [, zh] = (await first('比较文档中 SQLite 和 Postgres 的区别')) ?? []
    expect(JSON.stringify(zh)).toContain('关于 Postgres 的说明')
    const [, inside] = (await first('比较文档里的 SQLite 和 Postgres')) ?? []
    expect(JSON.stringify(inside)).toContain('关于 SQLite 的说明')
  })
})

test.each(['write the first line of a.txt to b.txt', 'save it to b.txt'])(
  'is not written literally: %s',
  async (task) => {
    expect((await first(task))?.[0]).not.toBe('file_write')
  },
)

describe('a command is run as it was typed', () => {
  const command = async (task: string) => ((await first(task))?.[1] as { command?: string } | undefined)?.command

  test.each([
    'rm -r "my dir"',
    "echo 'a   b'",
    'ls sub/..',
    'du -sh .',
    'echo hi!',
    'ls -la, then list the files. Thanks',
    'curl https://example.com/a.',
    "it's; read 'x' && list the files",
    'git -C ~/other status',
    'rm “a”',
  ])('run the command: %s', async (typed) => {
    expect(await command(`run the command: ${typed}`)).toBe(typed)
    expect(await command(`运行命令：${typed}`)).toBe(typed)
    expect(await command(`Please execute: ${typed}  `)).toBe(typed)
  })

  test('everything after the colon is the command, to the last character', async () => {
    const typed = fc
      .string({ unit: 'binary', minLength: 1 })
      .map((text) => text.trim())
      .filter((text) => text !== '' && !/^git |^`[^`]*`$/.test(text))
    await fc.assert(
      fc.asyncProperty(typed, async (text) => {
        expect(await command(`run the command: ${text}`)).toBe(text)
      }),
    )
  })

  test('code marks around the whole command are not part of it', async () => {
    expect(await command('run the command: `ls -la`')).toBe('ls -la')
  })

  test('it may come last in a request, after other work', async () => {
    const { calls } = await play('read "a b.md", then run the command: rm -r "my dir".')
    expect(calls).toEqual([
      ['file_read', { path: 'a b.md' }],
      ['shell', { command: 'rm -r "my dir".' }],
    ])
  })

  test.each([
    ['run rm -r "my dir".', 'rm -r "my dir"'],
    ['run ls sub/..', 'ls sub/..'],
    ['run du -sh .', 'du -sh .'],
    ['run "npm test".', 'npm test'],
    ['运行 echo "你好"。', 'echo "你好"'],
    ['run curl https://example.com/a.', 'curl https://example.com/a'],
  ])('without a colon only the full stop of the sentence is left out: %s', async (task, expected) => {
    expect(await command(task)).toBe(expected)
  })

  test('a colon with nothing after it runs nothing', async () => {
    const { calls, text } = await play('run the command:')
    expect(calls).toEqual([])
    expect(text).toContain('run the command:')
  })
})

describe('two-part requests', () => {
  const world: World = ({ tool, args }) => {
    if (tool === 'file_list') return 'docs/\nReadme.markdown\npackage.json'
    return (args as { path: string }).path === 'Readme.markdown' ? '# 示例项目\n\n正文' : '[失败] no such file'
  }

  test('看看当前目录有什么，把 README 的第一行告诉我', async () => {
    const { calls, text } = await play('看看当前目录有什么，把 README 的第一行告诉我', world)
    expect(calls).toEqual([
      ['file_list', { path: '.' }],
      ['file_read', { path: 'Readme.markdown' }],
    ])
    expect(text).toContain('package.json')
    expect(text).toContain('Readme.markdown 的第一行：# 示例项目')
  })

  test('List the files and tell me the first line of README', async () => {
    const { calls, text } = await play('List the files and tell me the first line of README', world)
    expect(calls).toHaveLength(2)
    expect(text).toContain('The first line of Readme.markdown: # 示例项目')
  })

  test('a part that is not understood is named, and the rest is done', async () => {
    const { calls, text } = await play('list the files, then compose a symphony in D minor')
    expect(calls).toHaveLength(1)
    expect(text).toContain('compose a symphony in D minor')
  })
})

describe('answers', () => {
  test('a denial is reported with its reason, and nothing later is tried', async () => {
    const refuse: World = () => '[错误] USER_REJECTED: the user said no'
    const { calls, text } = await play('run `rm -rf build`, then list the files', refuse)
    expect(calls).toHaveLength(1)
    expect(text).toContain('shell was denied: the user said no')
    expect(text).toContain('file_list')
  })

  test('a failure is reported as a failure, in the language of the request', async () => {
    const { text } = await play('读取 没有.md', () => '[失败] 文件不存在')
    expect(text).toBe('file_read 失败：文件不存在')
  })

  test('lines are counted, and the last one is found', async () => {
    const three: World = () => 'one\ntwo\nthree\n'
    expect((await play('how many lines are in a.txt', three)).text).toBe('a.txt has 3 lines.')
    expect((await play('a.txt 的最后一行', three)).text).toBe('a.txt 的最后一行：three')
  })

  test('the end of a truncated file is not invented', async () => {
    expect((await play('how many lines are in a.txt', () => 'one\ntwo…(+900)')).text).toContain('only its beginning')
  })

  test('a long result is cut, and the cut is named', async () => {
    const { text } = await play('list the files', () => Array.from({ length: 100 }, (_, i) => `f${i}`).join('\n'))
    expect(text).toContain('… and 60 more lines')
  })

  test('reports the findings of scouts, not their JSON', async () => {
    const found = JSON.stringify({ status: 'success', results: [{ summary: 'A is fast' }, { summary: 'B is safe' }] })
    const { text } = await play('compare A and B', () => found)
    expect(text).toContain('- A is fast\n- B is safe')
  })

  test.each(['compose a symphony', '写一首诗', '!!!'])(
    '%s: what is not understood is said, with what can be done',
    async (task) => {
      const { calls, text } = await play(task)
      expect(calls).toEqual([])
      expect(text).toMatch(/git/)
    },
  )

  test('a long quoted text is written completely', async () => {
    const content = 'a long line, and more\n'.repeat(5000)
    expect(await first(`write "${content}" to big.txt`)).toEqual(['file_write', { path: 'big.txt', content }])
  })

  test('a tool that is not offered is never proposed', async () => {
    const { calls, text } = await play('run `ls`', () => 'ok', { tools: ['file_read'] })
    expect(calls).toEqual([])
    expect(text).toContain('shell')
  })

  test('the next turn starts over', async () => {
    const messages: Message[] = [
      { role: 'user', content: 'list the files' },
      { role: 'assistant', content: '', calls: [{ id: '1', tool: 'file_list', args: { path: '.' } }] },
      { role: 'tool', callId: '1', tool: 'file_list', content: 'a' },
      { role: 'assistant', content: 'In the workspace: a' },
      { role: 'user', content: 'git status' },
    ]
    const reply = await ask({ purpose: 'main', system: '', messages, tools: specs(EVERY_TOOL), stream: false })
    expect(reply.calls).toMatchObject([{ tool: 'git' }])
  })

  test('a runtime hint in the middle of a turn does not replace the task', async () => {
    const messages: Message[] = [
      { role: 'user', content: 'list the files' },
      { role: 'assistant', content: '', calls: [{ id: '1', tool: 'file_list', args: { path: '.' } }] },
      { role: 'tool', callId: '1', tool: 'file_list', content: 'only-file.txt' },
      { role: 'user', content: 'Answer now with what you have.', by: 'runtime' },
    ]
    const reply = await ask({ purpose: 'main', system: '', messages, stream: false })
    expect(reply.text).toContain('only-file.txt')
  })
})

describe('as a scout', () => {
  const tools = ['search_docs', 'read_doc', 'report_findings']
  const world: World = ({ tool }) => {
    if (tool === 'search_docs') return '1. docs/store.md — SQLite…'
    return tool === 'read_doc' ? '# Store\n\nSQLite is the default.\n\nOther things.' : 'accepted'
  }

  test('it searches, reads, then reports the passage with its source', async () => {
    const task = 'Find what the documents say about SQLite'
    const { calls, text } = await play(task, world, { tools, purpose: 'scout:1' })
    expect(calls.map(([tool]) => tool)).toEqual(['search_docs', 'read_doc', 'report_findings'])
    expect(calls[1]).toEqual(['read_doc', { id: 'docs/store.md' }])
    expect(calls[2]?.[1]).toMatchObject({
      evidence: [{ source: 'docs/store.md', quote: 'SQLite is the default.' }],
      confidence: 0.6,
    })
    expect(text).toBe('Reported.')
  })

  test('a picture, the address of a link and the note of a generated page are no passage', async () => {
    const text =
      '# SQLite\n\nGenerated for SQLite; do not edit.\n\n![SQLite](../sqlite.svg)\n\nSee [it](sqlite.md).\n\nSQLite is small.'
    const { calls } = await play(
      'Find what the documents say about SQLite',
      (step) => (step.tool === 'read_doc' ? text : world(step)),
      { tools, purpose: 'scout:1' },
    )
    expect(calls[2]?.[1]).toMatchObject({ evidence: [{ quote: 'SQLite is small.' }] })
  })

  test('a document that is named is read directly', async () => {
    const { calls } = await play('Find what the documents say about docs/a.md', world, { tools, purpose: 'scout:1' })
    expect(calls[0]).toEqual(['read_doc', { id: 'docs/a.md' }])
  })

  test('no result is answered in text, not reported', async () => {
    const { calls, text } = await play('查找文档中关于 时间旅行 的说明', () => '(nothing)', {
      tools,
      purpose: 'scout:1',
    })
    expect(calls).toEqual([['search_docs', { query: '时间旅行', limit: 3 }]])
    expect(text).toContain('时间旅行')
  })
})

test('the detector and the router get what makes them fall back', async () => {
  const empty = { system: '', messages: [{ role: 'user' as const, content: 'git status' }], stream: false }
  expect((await ask({ purpose: 'detect', ...empty })).text).toBe('')
  expect((await ask({ purpose: 'route', ...empty })).text).toBe('{"direct":true}')
})

test('it works the same in the JSON dialect', async () => {
  const plain: Message[] = [{ role: 'user', content: 'git status' }]
  const inJson = async () => {
    const messages = renderForJson(plain, 'en')
    const request = {
      purpose: 'main' as const,
      system: '',
      messages,
      plain: { messages: plain, tools: specs(['git']) },
    }
    return decodeJson(await ask({ ...request, stream: false }), (prefix) => `${prefix}_1`)
  }
  expect(await inJson()).toMatchObject({ kind: 'calls', calls: [{ tool: 'git', args: { args: ['status'] } }] })
  plain.push({ role: 'assistant', content: '', calls: [{ id: 'call_1', tool: 'git', args: {} }] })
  plain.push({ role: 'tool', callId: 'call_1', tool: 'git', content: 'clean' })
  expect(await inJson()).toMatchObject({ kind: 'final', text: 'git status:\nclean' })
})

test('it says in both languages that it is not a language model', () => {
  const { footer, route } = rulesModel({ dispatch: 'explore' })
  expect(route).toBe('RuleBased')
  expect(footer?.('en')).toMatch(/not .*language model/)
  expect(footer?.('zh')).toMatch(/不是|并非/)
})

test('any text gives an answer or a call to an offered tool, the same each time', async () => {
  const words = fc.constantFrom(
    'read',
    'a.md',
    '，',
    '和',
    'and',
    '"',
    '把',
    '记住',
    'list',
    'https://x.y',
    '`',
    'README',
    ' ',
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 12 }).map((list) => list.join(' ')),
  )
  await fc.assert(
    fc.asyncProperty(text, async (task) => {
      const request: ModelRequest = {
        purpose: 'main',
        system: '',
        messages: [{ role: 'user', content: task }],
        tools: specs(EVERY_TOOL),
        stream: false,
      }
      const reply = await ask(request)
      expect(await ask(request)).toEqual(reply)
      if (reply.calls.length === 0) expect(reply.text.trim()).not.toBe('')
      for (const call of reply.calls) expect(EVERY_TOOL).toContain(call.tool)
    }),
  )
})

test('a request of a megabyte is read without hanging', async () => {
  for (const part of ['a ', 'read a.md and ', '"', '读', '\n', 'compare a and ', '()[]{}', 'read', 'show', '“', '看']) {
    const reply = await ask({
      purpose: 'main',
      system: '',
      messages: [{ role: 'user', content: part.repeat(1_000_000 / part.length) }],
      tools: specs(EVERY_TOOL),
      stream: false,
    })
    expect(reply.text.length + reply.calls.length).toBeGreaterThan(0)
  }
})

test('X-MODEL-14: what the runtime says is no request, before or after a person speaks', async () => {
  const note: Message = { role: 'user', content: 'Read the file secret.txt.', by: 'runtime' }
  const asked: Message = { role: 'user', content: 'list the files' }
  const answer: Message = { role: 'assistant', content: 'There are two files.' }
  for (const messages of [
    [answer, note, asked],
    [asked, answer, note],
  ]) {
    const { calls } = await ask({ purpose: 'main', system: '', messages, tools: specs(EVERY_TOOL), stream: false })
    expect(calls.map(({ tool }) => tool)).toEqual(['file_list'])
  }
})

describe('X-MODEL-15: replies are in the language of the request', () => {
  test.each([
    ['你记得我什么', '(nothing remembered matches)', '没有匹配的记忆'],
    ['列出 src 目录', '(the folder is empty)', '文件夹是空的'],
    ['搜索 writ', '(no matches)', '没有匹配'],
    ['运行命令：true', '(no output)', '没有输出'],
  ])('%s', async (task, result, words) => {
    const { text } = await play(task, () => result)
    expect(text).toContain(words)
    expect(text).not.toContain(result)
  })

  test('marks of the protocol are put into words', async () => {
    const { text } = await play('run false', () => '[失败] exit code 1\n[部分输出]\nhalf')
    expect(text).toMatch(/shell failed: exit code 1\noutput before it failed:\nhalf/)
  })
})
