import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeServerPlace, type TestPlace, type TestServer } from '../../runtime/test/support/server.ts'
import { openBrowser, openPage } from './support/browser.ts'
import { DIGEST, SERVICE_CHECK } from './support/workflows.ts'

let browser: Browser
let place: TestPlace
let server: TestServer

beforeAll(async () => {
  place = makeServerPlace()
  ;[browser, server] = await Promise.all([openBrowser(), place.start({ model: 'rules' })])
})
afterAll(async () => {
  await browser?.close()
  await place?.remove()
})

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const wanted = typeof name === 'string' ? new RegExp(`^${name}$`) : name
  for (let i = 0; i < 120; i++) {
    if (wanted.test(await focusedName(page))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no tab stop is called ${name}`)
}

function focusedName(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const here = document.activeElement
    return (here.getAttribute('aria-label') ?? here.labels?.[0]?.textContent ?? here.textContent ?? '').trim()
  })()`)
}

async function replace(page: Page, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

interface Words {
  prompt: string
  variable: RegExp
  insert: string
  model: string
  temperature: string
  steps: string
  perStep: string
  budget: string
  primary: string
  least: string
  tools: RegExp
  search: string
  done: string
  save: string
  saved: string
  run: string
  detail: string
  observation: string
}

const EN: Words = {
  prompt: 'Prompt',
  variable: /^Variable/,
  insert: 'Insert',
  model: 'Model',
  temperature: 'Temperature',
  steps: 'Maximum steps',
  perStep: 'Step timeout \\(s\\)',
  budget: 'Token budget',
  primary: 'Primary output',
  least: 'At least 1.',
  tools: /^Choose tools/,
  search: 'Search tools',
  done: 'Done',
  save: 'Save to the workflow',
  saved: 'Saved',
  run: 'Run',
  detail: 'Run details',
  observation: 'Observation',
}

const ZH: Words = {
  prompt: '提示',
  variable: /^变量/,
  insert: '插入',
  model: '模型',
  temperature: '温度',
  steps: '最大步数',
  perStep: '单步超时（秒）',
  budget: 'token 预算',
  primary: '主输出',
  least: '至少 1。',
  tools: /^选择工具/,
  search: '搜索工具',
  done: '完成',
  save: '保存到工作流',
  saved: '已保存',
  run: '运行',
  detail: '运行详情',
  observation: '观察',
}

describe.each([
  { lang: 'en', words: EN },
  { lang: 'zh', words: ZH },
] as const)('the agent panel by keyboard alone, $lang', ({ lang, words }) => {
  const name = `panel-${lang}`
  let page: Page
  let complaints: string[]
  let close: () => Promise<void>

  // The steps build on each other: one page is filled in, saved and run.
  beforeAll(async () => {
    await server.api.call('PUT /api/workflows/:name', { params: { name }, body: { document: { ...DIGEST, name } } })
    ;({ page, complaints, close } = await openPage(browser, server, { lang, path: `/agent?workflow=${name}` }))
    await page.locator('.tool-picker').waitFor()
  })
  afterAll(() => close?.())

  test('S3-8 S3-114: there is a panel with a prompt, and the helper inserts variables of three kinds', async () => {
    await tabTo(page, words.prompt)
    await replace(page, 'list the files here ')
    await tabTo(page, words.variable)
    const kinds = await page.evaluate("[...document.querySelectorAll('optgroup')].map((group) => group.label)")
    expect(kinds).toEqual(['external', 'env', 'nodes'])
    await tabTo(page, words.insert)
    await page.keyboard.press('Enter')
    await expect.poll(() => focusedName(page)).toBe(words.prompt)
    await expect
      .poll(() => page.locator('textarea').first().inputValue())
      .toBe('list the files here {{external.question}}')
    await replace(page, '{{external.question}}')
  })

  test('S3-109 S3-117: an invalid maximum of steps is rejected at its field and not saved', async () => {
    await tabTo(page, words.steps)
    await replace(page, '0')
    await page.getByText(words.least, { exact: true }).waitFor()
    await tabTo(page, words.save)
    await page.keyboard.press('Enter')
    await expect.poll(() => focusedName(page)).toBe(words.steps)
    expect((await savedArgs(name)).max_steps).toBe(5)
    await replace(page, '4')
  })

  test('S3-113: the primary output is shown and cannot be edited', async () => {
    await tabTo(page, words.primary)
    await page.keyboard.type('x')
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('final_answer')
  })

  test('S3-111 S3-115: tools are chosen from the registered ones', async () => {
    await tabTo(page, words.tools)
    await page.keyboard.press('Enter')
    const { tools } = await server.api.call('GET /api/tools', {})
    await expect.poll(() => page.locator('.tool-picker [type=checkbox]').count()).toBeGreaterThan(5)
    expect(tools.map((tool) => tool.name)).toContain('file_search')
    await tabTo(page, words.search)
    await page.keyboard.type('file_search')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await tabTo(page, words.done)
    await page.keyboard.press('Enter')
  })

  test('S3-107 S3-108 S3-110 S3-112: model, temperature, timeout and budget are edited and saved', async () => {
    await tabTo(page, words.model)
    await replace(page, 'rules')
    await tabTo(page, words.temperature)
    await replace(page, '0.2')
    await tabTo(page, words.perStep)
    await replace(page, '20')
    await tabTo(page, words.budget)
    await replace(page, '9000')
    await tabTo(page, words.save)
    await page.keyboard.press('Enter')
    await page.getByText(words.saved, { exact: true }).first().waitFor()
    expect(await savedArgs(name)).toMatchObject({
      model: 'rules',
      temperature: 0.2,
      single_call_timeout: 20,
      total_token_budget: 9000,
    })
  })

  test('S3-118: what is saved is the JSON of the node, and the same after a reload', async () => {
    expect(await savedArgs(name)).toEqual({
      model: 'rules',
      temperature: 0.2,
      max_steps: 4,
      single_call_timeout: 20,
      total_token_budget: 9000,
      allowed_tools: ['file_list', 'file_read', 'file_search'],
      prompt: '{{external.question}}',
    })
    await page.reload()
    await page.locator('.tool-picker').waitFor()
    await expect.poll(() => page.getByLabel(words.steps).inputValue()).toBe('4')
  })

  test('it runs, and its steps can be inspected', async () => {
    await tabTo(page, 'question')
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => focusedName(page)).toBe(words.run)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: words.detail }).waitFor()
    await tabTo(page, words.detail)
    await page.keyboard.press('Enter')
    await page.getByRole('columnheader', { name: words.observation }).waitFor()
    await expect.poll(() => page.getByRole('cell', { name: 'file_list', exact: true }).count()).toBe(1)
    expect(complaints).toEqual([])
  })
})

test('S3-114: Insert puts the variable into the field that last had the focus', async () => {
  const name = 'insert'
  const inputs = { steps: { default: 5 } }
  await server.api.call('PUT /api/workflows/:name', {
    params: { name },
    body: { document: { ...DIGEST, name, inputs } },
  })
  const { page, complaints, close } = await openPage(browser, server, { path: `/agent?workflow=${name}` })
  const variable = '{{external.steps}}'
  const insert = () => page.getByRole('button', { name: 'Insert' }).click()
  const prompt = page.getByLabel('Prompt', { exact: true })
  await prompt.fill('list the files here')
  await page.getByLabel('Maximum steps').click()
  await insert()
  await expect.poll(() => page.getByLabel('Maximum steps').inputValue()).toBe(variable)
  await page.getByLabel('Model', { exact: true }).fill('')
  await insert()
  await expect.poll(() => page.getByLabel('Model', { exact: true }).inputValue()).toBe(variable)
  await page.getByLabel('Model', { exact: true }).fill('rules')
  await page.getByLabel('Allowed domains of requests').click()
  await insert()
  await page.getByRole('button', { name: `Remove ${variable}` }).click()
  expect(await prompt.inputValue()).toBe('list the files here')
  await page.getByRole('button', { name: EN.save }).click()
  await page.getByText(EN.saved, { exact: true }).first().waitFor()
  expect(await savedArgs(name)).toMatchObject({ max_steps: variable, model: 'rules', prompt: 'list the files here' })
  expect(complaints).toEqual([])
  await close()
})

test('a new agent cannot run before it is saved, and the page says so', async () => {
  const { page, complaints, close } = await openPage(browser, server, { path: '/agent' })
  await page.locator('.tool-picker').waitFor()
  await page.getByLabel('Name of the workflow').fill('brand-new')
  await page.getByText('Save first').waitFor()
  const run = page.getByRole('button', { name: 'Run', exact: true })
  await expect.poll(() => run.isDisabled()).toBe(true)
  await page.getByRole('button', { name: EN.save }).click()
  await page.waitForURL(/workflow=brand-new/)
  await run.click()
  await page.getByRole('link', { name: EN.detail }).waitFor()
  expect(complaints).toEqual([])
  await close()
})

async function savedArgs(name: string): Promise<Record<string, unknown>> {
  const { document } = await server.api.call('GET /api/workflows/:name', { params: { name } })
  const { nodes } = document as { nodes: { args: Record<string, unknown> }[] }
  return nodes[0]?.args ?? {}
}

test('a workflow is drawn, edited by its form, validated with the places of problems, saved and run with live states', async () => {
  const name = 'drawn'
  await server.api.call('PUT /api/workflows/:name', { params: { name }, body: { document: { ...DIGEST, name } } })
  const { page, complaints, close } = await openPage(browser, server, { path: `/workflows/${name}` })
  await page.locator('.graph-node').waitFor()
  await page.getByLabel('New node').selectOption('file_list')
  await page.getByRole('button', { name: 'Add node' }).click()
  await expect.poll(() => page.locator('.graph-node').count()).toBe(2)
  await page.getByText('nodes[1].args', { exact: true }).waitFor()
  await page.getByLabel('Arguments').fill('{"path": "."}')
  await page.getByText('Valid: ready to run.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Saved' }).waitFor()
  const vanished = await countVanished(page)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.locator('.graph-node.done').nth(1).waitFor()
  expect(await vanished()).toBe(0)
  await page.getByRole('region', { name: 'Outputs of agent_core' }).getByText('final_answer').waitFor()
  expect(complaints).toEqual([])
  await close()
})

test('the run of a workflow links to the steps of its agent', async () => {
  const name = 'one-hop'
  await server.api.call('PUT /api/workflows/:name', { params: { name }, body: { document: { ...DIGEST, name } } })
  const { runId } = await server.api.call('POST /api/workflows/:name/run', { params: { name }, body: { input: {} } })
  const { page, complaints, close } = await openPage(browser, server, { path: `/runs/${runId}` })
  await page.getByRole('link', { name: 'Agent steps' }).click()
  await page.getByRole('cell', { name: 'file_list', exact: true }).waitFor()
  expect(complaints).toEqual([])
  await close()
})

test('an invalid workflow shows an error and can be neither saved nor run', async () => {
  const name = 'unfinished'
  const document = { ...DIGEST, name }
  await server.api.call('PUT /api/workflows/:name', { params: { name }, body: { document } })
  const { page, complaints, close } = await openPage(browser, server, { path: `/workflows/${name}` })
  const fine = page.getByText('Valid: ready to run.')
  const notJson = page.getByText('Invalid JSON.')
  const run = page.getByRole('button', { name: 'Run', exact: true })
  await fine.waitFor()
  await page.getByRole('tab', { name: 'JSON' }).click()
  const text = page.getByLabel('JSON', { exact: true }).and(page.locator('textarea'))
  await text.fill('{ "name": "unfinished", "nodes": [')
  await notJson.waitFor()
  expect(await fine.count()).toBe(0)
  expect(await run.isDisabled()).toBe(true)
  for (const wrong of [
    { ...document, nodes: 'none' },
    { ...document, nodes: [null] },
    { ...document, inputs: { question: null }, description: {} },
    { nodes: document.nodes },
    {},
  ]) {
    await text.fill(JSON.stringify(wrong))
    await page.getByText(/^\d+ problems?$/).waitFor()
    expect(await fine.count(), JSON.stringify(wrong)).toBe(0)
    expect(await run.isDisabled(), JSON.stringify(wrong)).toBe(true)
  }
  await text.fill(JSON.stringify(document))
  await fine.waitFor()
  await expect.poll(() => run.isEnabled()).toBe(true)

  await page.getByLabel('Arguments').fill('{"model": ')
  await page.getByText('The arguments of agent_core are not valid JSON.').waitFor()
  expect(await run.isDisabled()).toBe(true)
  await page.getByLabel('Arguments').fill(JSON.stringify(document.nodes[0]?.args))
  await fine.waitFor()
  await expect.poll(() => run.isEnabled()).toBe(true)
  expect(complaints).toEqual([])
  await close()
})

test.each([
  {
    lang: 'en',
    json: 'JSON',
    graph: 'Graph',
    args: 'Arguments',
    save: 'Save',
    bad: 'Invalid JSON. Correct',
    of: 'The arguments of read are',
  },
  {
    lang: 'zh',
    json: 'JSON',
    graph: '图',
    args: '参数',
    save: '保存',
    bad: 'JSON 无效。',
    of: 'read 的参数不是有效的 JSON',
  },
])('a JSON text that is not finished stays while something else is looked at ($lang)', async (words) => {
  const name = `kept-${words.lang}`
  const document = { ...SERVICE_CHECK, name }
  await server.api.call('PUT /api/workflows/:name', { params: { name }, body: { document } })
  const { page, complaints, close } = await openPage(browser, server, {
    lang: words.lang as 'en' | 'zh',
    path: `/workflows/${name}`,
  })
  const tab = (title: string) => page.getByRole('tab', { name: title, exact: true })
  const save = page.getByRole('button', { name: words.save, exact: true })
  const args = page.getByLabel(words.args, { exact: true })

  await tab(words.json).click()
  const text = page.getByRole('tabpanel').locator('textarea')
  await text.fill('{ "name": "kept", "nodes": [')
  await tab(words.graph).click()
  await page.locator('.graph-node').first().waitFor()
  await page.getByText(words.bad).waitFor()
  expect(await save.isDisabled()).toBe(true)
  expect(await args.isDisabled()).toBe(true)
  await tab(words.json).click()
  expect(await text.inputValue()).toBe('{ "name": "kept", "nodes": [')
  await text.fill(JSON.stringify(document))

  await args.fill('{"path": ')
  await page.getByRole('button', { name: 'agent', exact: true }).click()
  await page.getByText(words.of).waitFor()
  expect(await text.isEditable()).toBe(false)
  await page.getByRole('button', { name: 'read', exact: true }).click()
  expect(await args.inputValue()).toBe('{"path": ')
  expect(complaints).toEqual([])
  await close()
})

/** A node that is hidden briefly on each state change may stay hidden on a busy machine. */
async function countVanished(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`
    globalThis.vanished = 0
    new MutationObserver((changes) => {
      for (const { target } of changes) if (target.style.visibility === 'hidden') vanished += 1
    }).observe(document.querySelector('.graph'), { subtree: true, attributeFilter: ['style'] })
  `)
  return () => page.evaluate('vanished')
}
