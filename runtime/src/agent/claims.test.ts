import { describe, expect, test } from 'vitest'
import { collect, engineWith, saying, spyTools } from '../../test/support/engine.ts'
import { isClaim } from './claims.ts'
import { PROFILES } from './profile.ts'
import { startTurn } from './turn.ts'

describe('X-MODEL-7: an answer that claims an action', () => {
  test.each([
    'I have created the file notes.txt.',
    "I've saved your notes to `notes.md`.",
    'Done! I successfully deleted the folder build.',
    'The file config.json has been updated.',
    'Okay, I sent the email to Anna.',
    '- I have written the report to report.md',
    'Edited a.txt.',
    'Done. Successfully updated the file src/a.ts with the new name.',
    'a.txt updated.',
    '已编辑 a.txt。',
    '已创建文件 notes.txt。',
    '好的，我已经把报告写入 report.md。',
    '文件 notes.txt 已成功保存。',
    '已为你发送邮件。',
  ])('%s', (reply) => {
    expect(isClaim(reply)).toBe(true)
  })

  test.each([
    'You can create the file with `touch notes.txt`.',
    'I would have created the file notes.txt, but I cannot.',
    'I have not created the file notes.txt.',
    'If the file has been deleted, restore it from the backup.',
    'I have written a function below.',
    'I wrote a poem for you.',
    'Saved games are in a.json.',
    'Updated versions exist.',
    'a.txt changed twice this week',
    'The file was created last year by Anna.',
    'Git has been updated in version 2.40.',
    'Have you saved the file?',
    '```\nI have created the file a.txt.\n```',
    '> I have created the file a.txt.',
    'The log says "I have created the file a.txt".',
    '你可以用 touch 创建文件 notes.txt。',
    '我没有创建文件 notes.txt。',
    '如果文件已创建，请打开它。',
    '以下是已创建文件的示例。',
    '文件 a.txt 由 Anna 创建。',
    'notes.txt has 3 lines.',
  ])('is not: %s', (reply) => {
    expect(isClaim(reply)).toBe(false)
  })

  const claim = { text: 'I have created the file notes.txt.' }
  async function noticesOf(lines: Parameters<typeof saying>[0], lang: 'en' | 'zh' = 'en') {
    const engine = await engineWith({ tools: spyTools([]), model: saying(lines), lang })
    const turn = (task: string, sessionId?: string) =>
      collect(
        startTurn(engine, {
          task,
          sessionId,
          profile: PROFILES.chat,
          signal: new AbortController().signal,
          confirm: async () => 'y',
          stream: false,
        }),
      )
    return { turn, first: (await turn('create notes.txt')).result }
  }

  test('gets a notice, and the reply stays as it is', async () => {
    const { first } = await noticesOf([claim])
    expect(first).toMatchObject({ reply: claim.text, stopReason: 'final' })
    expect(first.notices).toEqual([expect.stringContaining('No tool was called in this run')])
    expect((await noticesOf([claim], 'zh')).first.notices).toEqual([expect.stringContaining('没有调用任何工具')])
  })

  test('gets a notice after a denied edit', async () => {
    const { first } = await noticesOf([
      { calls: [{ id: 'a', tool: 'no_such_tool', args: {} }] },
      { text: 'Edited a.txt.' },
    ])
    expect(first.notices).toEqual([expect.stringContaining('No tool')])
  })

  test('gets another notice when tools only read', async () => {
    const { first } = await noticesOf([{ calls: [{ id: 'a', tool: 'look', args: { n: 1 } }] }, claim])
    expect(first.notices).toEqual([expect.stringContaining('No tool changed anything in this run')])
  })

  test('gets none after a call that changed something, in this turn or an earlier one', async () => {
    const change = { calls: [{ id: 'a', tool: 'change', args: { n: 1 } }] }
    const { first, turn } = await noticesOf([change, claim, claim])
    expect(first.notices).toEqual([])
    expect((await turn('did you?', first.sessionId)).result.notices).toEqual([])
  })
})
