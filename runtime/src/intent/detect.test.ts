import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TASK_INTENTS, type TaskIntentLabel } from '../protocol/intent.ts'
import { detectHeuristicIntent, detectInConversation } from './detect.ts'

const labelOf = (task: string) => detectHeuristicIntent(task).label

interface Labelled {
  text: string
  label: TaskIntentLabel
  lang: 'en' | 'zh'
  kind: 'plain' | 'hard' | 'mixed' | 'negated' | 'quoted' | 'question'
  /** `test` was kept aside while the cues were made; `fresh` was written when the tuning was over. */
  split: 'dev' | 'test' | 'fresh'
}

const LABELLED = readFileSync(new URL('../../test/fixtures/intents.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Labelled)

describe('the seed’s own examples', () => {
  test.each([
    ['S0-13', '你好', 'general'],
    ['S0-14', '请用浏览器打开 example.com', 'browser_access'],
    ['S0-15', '上网检索最新的 X 资料', 'network_research'],
    ['S0-16', '把 a.txt 移动到 docs 目录', 'filesystem_ops'],
    ['S0-17', '重构这个模块并补测试', 'code_edit'],
    ['S0-18', '记住我的生日是 5 月 1 日', 'memory_ops'],
  ])('%s: %s → %s', (_, task, label) => {
    expect(labelOf(task)).toBe(label)
  })
})

describe('cues', () => {
  test.each([
    ['S0-36 S0-42', 'Open example.com in the browser', '用浏览器打开 example.com', 'browser_access'],
    ['S0-37 S0-42', 'Remember that I drink tea', '记住我喝茶', 'memory_ops'],
    ['S0-38 S0-42', 'Fix the bug in the parser', '修复解析器的 bug', 'code_edit'],
    ['S0-39 S0-42', 'Delete the tmp folder', '删除 tmp 文件夹', 'filesystem_ops'],
    ['S0-39 S0-42', 'Create a folder named reports', '新建一个名为周报的文件夹', 'filesystem_ops'],
    ['S0-40 S0-42', 'Search the web for tea prices', '上网搜索茶叶价格', 'network_research'],
    ['S0-41 S0-42', 'Tell me a joke', '讲个笑话', 'general'],
  ])('%s: “%s” and “%s” are both %s', (_, english, chinese, label) => {
    expect([labelOf(english), labelOf(chinese)]).toEqual([label, label])
  })

  test('traditional characters are read as simplified ones', () => {
    expect(labelOf('請用瀏覽器打開 example.com')).toBe('browser_access')
  })

  test.each([
    ['the tests are red again, sort it out', 'code_edit'],
    ['why does main.go panic? fix whatever is wrong', 'code_edit'],
    ['把网页上那个弹窗关掉', 'browser_access'],
  ])('colloquial: %s is %s', (task, label) => {
    expect(labelOf(task)).toBe(label)
  })

  test.each(['mkdir drafts', 'ls', 'cat notes.md', 'grep TODO src/'])('the bare command %s is about files', (task) => {
    expect(labelOf(task)).toBe('filesystem_ops')
  })

  test('a word inside another word does not match', () => {
    expect(labelOf('What a profile you have')).toBe('general')
    expect(labelOf('the browserling of my cat')).toBe('general')
  })
})

describe('S0-43: precedence', () => {
  test.each([
    ['memory before browser', '记住：以后访问网站用浏览器', 'memory_ops'],
    ['memory before browser', 'Remember to use the browser for sites', 'memory_ops'],
    ['an explicit browser order before memory', '记住我用深色模式，然后用浏览器打开 example.com', 'browser_access'],
    [
      'an explicit browser order before memory',
      'Remember: dark mode. Now use the browser to open a.com',
      'browser_access',
    ],
    ['browser before code', 'Open https://a.com in the browser, then fix the bug', 'browser_access'],
    ['code before file', 'Fix the bug, then move the test file into tests/', 'code_edit'],
    ['file before network', 'Delete the old logs folder and search the web for log rotation', 'filesystem_ops'],
    ['a result merely put away does not decide', 'Search the web for teas and save it to teas.md', 'network_research'],
  ])('%s: %s', (_, task, label) => {
    expect(labelOf(task)).toBe(label)
  })
})

describe('S0-14 S0-15: a page is only to be read', () => {
  const url = 'https://example.com/plans'
  test.each([
    `visit ${url} and summarize it`,
    `go to ${url} and give me a summary`,
    `open ${url} and tell me the price`,
    `checkout the docs at ${url} and tell me how to install it`,
    'visit every link in links.md and tell me which are dead',
    `summarize the latest post on ${url}`,
    `访问 ${url}，总结一下`,
    `打开 ${url} 告诉我价格`,
    `打开这个网页看看写了什么 ${url}`,
  ])('%s needs the network, and no browser', (task) => {
    expect(labelOf(task)).toBe('network_research')
  })

  test.each([
    `open ${url} in the browser and tell me the title`,
    `visit ${url} and click Subscribe`,
    `go to ${url}, log in and read my messages`,
    `open ${url} and take a screenshot`,
    `visit ${url} and fill in the form`,
    `用浏览器打开 ${url} 告诉我价格`,
    `打开 ${url}，点击“订阅”`,
    `访问 ${url} 并登录`,
    `打开 ${url} 并截图`,
  ])('%s needs a browser', (task) => {
    const { label, confidence } = detectHeuristicIntent(task)
    expect([label, confidence]).toEqual(['browser_access', 0.9])
  })

  test.each([
    'make the README say: open http://127.0.0.1:4770 in your browser',
    'make the README say open http://127.0.0.1:4770 in your browser',
    'put this into notes.md: open https://example.com in Chrome',
    '在 README 里写上：用浏览器打开 http://127.0.0.1:4770',
  ])('%s is about a file', (task) => {
    expect(labelOf(task)).toBe('filesystem_ops')
  })
})

describe('what does not count', () => {
  test.each([
    ['a negated browser', '不要打开浏览器', 'general'],
    ['a negated browser', "don't use the browser", 'general'],
    ['a negated browser before another order', "Don't open the browser, list the files in src", 'filesystem_ops'],
    ['going without', 'Without going online, tell me who wrote Faust', 'general'],
    ['a negated change', '别改代码，讲讲递归', 'general'],
    ['a quotation', "translate the sentence 'open the browser' into French", 'general'],
    ['a quotation', '把“删除文件”翻译成英文', 'general'],
    ['a code fence', 'Explain this:\n```sh\nrm -rf tmp && git commit\n```', 'general'],
    ['text to be worked on', 'Summarize the following text: we opened the browser and deleted all files', 'general'],
    ['a question about a thing', 'what is a browser?', 'general'],
    ['a question about a deed', 'how do I rename a file in Linux?', 'general'],
    ['a question about a deed', '怎么在 Linux 里重命名文件？', 'general'],
    ['a double negation', "don't forget that I live in Oslo", 'memory_ops'],
    ['a place to go to', '周末去哪玩比较好，给点建议', 'general'],
  ])('%s: %s', (_, task, label) => {
    expect(labelOf(task)).toBe(label)
  })
})

describe('S1-36: an answer to our question', () => {
  const last = {
    intent: detectHeuristicIntent('open my bank site in the browser'),
    stopReason: 'clarification' as const,
  }

  test.each([
    'ICBC',
    'look it up in notes.txt',
    'the ICBC one, its address is in bank.txt',
    'the first one you find on the web',
    'I told you last week, remember?',
    'fix the address in bank.ts first',
    '地址在 bank.txt 里',
    '上网查一下就知道了',
    '我上周告诉过你，还记得吗？',
  ])('“%s” is about the task that was asked about', (answer) => {
    expect(detectInConversation(answer, last)).toMatchObject({ label: 'browser_access', source: 'heuristic' })
  })

  test.each([
    ['never mind, list the files in src', 'filesystem_ops'],
    ['Forget it. Search the web for tea prices.', 'network_research'],
    ['算了，列出 src 目录里的文件', 'filesystem_ops'],
  ])('“%s” takes the task back and is one of its own', (answer, label) => {
    expect(detectInConversation(answer, last).label).toBe(label)
  })

  test('after an answered turn a new task is one of its own', () => {
    const answered = { ...last, stopReason: 'final' as const }
    expect(detectInConversation('look it up in notes.txt', answered).label).not.toBe('browser_access')
    expect(detectInConversation('go on', answered).label).toBe('browser_access')
  })
})

describe('S0-54: the result', () => {
  test('names its source and the matched words', () => {
    const intent = detectHeuristicIntent('Move a.txt into the docs folder')
    expect(intent.source).toBe('heuristic')
    expect(intent.reason).toContain('move')
    expect(intent.reason).toContain('<file>')
  })

  test('is more confident with one clear cue than with two that compete, and least with a weak one', () => {
    const clear = detectHeuristicIntent('Fix the bug in the parser')
    const torn = detectHeuristicIntent('Fix the bug in the parser and delete the tmp folder')
    const faint = detectHeuristicIntent('https://example.com')
    expect(torn.reason).toContain('outranks filesystem_ops')
    expect(clear.confidence).toBeGreaterThan(torn.confidence)
    expect(torn.confidence).toBeGreaterThan(faint.confidence)
  })

  test('is one of the six labels for any text, and the same one twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (task) => {
        const intent = detectHeuristicIntent(task)
        expect(TASK_INTENTS).toContain(intent.label)
        expect(intent.confidence).toBeGreaterThanOrEqual(0)
        expect(intent.confidence).toBeLessThanOrEqual(1)
        expect(detectHeuristicIntent(task)).toEqual(intent)
      }),
    )
  })

  test('comes from the head and the tail of ten million characters', () => {
    const filler = 'lorem ipsum '.repeat(830_000)
    expect(labelOf(`Fix the bug in parser.ts.\n${filler}`)).toBe('code_edit')
    expect(labelOf(`${filler}\nNow delete the tmp folder.`)).toBe('filesystem_ops')
    for (const unit of ['a.', 'a/', '"', '`', '{', 'a-', '打开', "don't just ", '我之前']) {
      expect(TASK_INTENTS).toContain(labelOf(unit.repeat(10_000_000 / unit.length)))
    }
  })
})

describe('the labelled set', () => {
  const scored = LABELLED.map((row) => ({ ...row, right: labelOf(row.text) === row.label }))
  const accuracy = (rows: readonly { right: boolean }[]) => rows.filter((row) => row.right).length / rows.length
  const groups: [string, (row: Labelled) => string][] = [
    ['split', (row) => row.split],
    ['language', (row) => row.lang],
    ['kind', (row) => row.kind],
    ['label', (row) => row.label],
  ]

  test('has both languages and all six labels in fair shares', () => {
    expect(LABELLED.length).toBeGreaterThanOrEqual(450)
    expect(new Set(LABELLED.map((row) => row.text)).size).toBe(LABELLED.length)
    for (const label of TASK_INTENTS) {
      for (const lang of ['en', 'zh']) {
        const share = LABELLED.filter((row) => row.label === label && row.lang === lang).length / LABELLED.length
        expect(share, `${label} in ${lang}`).toBeGreaterThan(1 / 20)
      }
    }
  })

  test('accuracy, per split, language, kind and label', () => {
    const table = groups.flatMap(([by, key]) =>
      Object.entries(Object.groupBy(scored, key)).map(([group, rows = []]) => ({
        by,
        group,
        sentences: rows.length,
        right: Number(accuracy(rows).toFixed(3)),
      })),
    )
    console.table(table)
    for (const row of table.filter(({ group }) => group !== 'fresh')) {
      expect(row.right, `${row.by} ${row.group}`).toBeGreaterThanOrEqual(0.9)
    }
  })

  // What a newcomer's sentence can expect; batches as hard as this one scored 0.84 to 0.92 at first sight.
  test('sentences written after the tuning are understood, too', () => {
    expect(accuracy(scored.filter((row) => row.split === 'fresh'))).toBeGreaterThanOrEqual(0.85)
  })
})
