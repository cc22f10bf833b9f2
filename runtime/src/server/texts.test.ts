import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePlace, type Place } from '../../test/support/cli.ts'
import { createAgent } from '../assembly/agent.ts'
import { serverTexts } from './texts.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

describe.each(['en', 'zh'] as const)('the sample tasks (%s)', (lang) => {
  test('are understood by the built-in rules: one runs, one asks, one is refused', async () => {
    const agent = await createAgent({ workspace: place.workspace, data: ':memory:', model: 'rules', lang })
    const verdicts: string[] = []
    for (const { task } of serverTexts(lang).samples) {
      const run = agent.stream(task)
      for (let next = await run.next(); !next.done; next = await run.next()) {
        const { value } = next
        if (value.type === 'gate.decided' && verdicts.length < 9) verdicts.push(value.data.decision)
      }
    }
    await agent.close()
    expect(verdicts).toEqual(['allow', 'ask', 'deny', 'deny'])
  })
})
