/** Every page, its address, and a selector that shows it has loaded. */
import type { Page } from 'playwright-core'
import type { Seeded } from './seeded.ts'

export interface ShownPage {
  name: string
  path(seeded: Seeded): string
  /** Present once the page has its data. */
  ready: string
  prepare?(page: Page): Promise<void>
}

const DRAFT_RULES = JSON.stringify({
  rules: [
    {
      when: { command: 'git push *', flags: '--force' },
      decide: 'deny',
      reason: 'history is kept',
      examples: { match: ['git push --force origin main'], noMatch: ['git push origin main'] },
    },
  ],
})

export const PAGES: ShownPage[] = [
  { name: 'chat-new', path: () => '/', ready: '.sample' },
  { name: 'chat', path: ({ runs }) => `/chat/${runs.plain.sessionId}`, ready: '.turn-foot' },
  { name: 'chat-approval', path: ({ runs }) => `/chat/${runs.asking.sessionId}`, ready: '.approval' },
  { name: 'chat-scouts', path: ({ runs }) => `/chat/${runs.scouts.sessionId}`, ready: '.lane' },
  {
    name: 'chat-denied',
    path: ({ runs }) => `/chat/${runs.denied.sessionId}`,
    ready: '.tool-card.denied',
    prepare: (page) => page.locator('.tool-card summary').click(),
  },
  { name: 'approvals', path: () => '/approvals', ready: '.approval' },
  {
    name: 'runs',
    path: () => '/runs',
    ready: 'td',
    prepare: async (page) => {
      for (const fold of await page.locator('button.run-fold').all()) await fold.click()
      await page.locator('tr[data-depth="1"]').first().waitFor()
    },
  },
  { name: 'run', path: ({ runs }) => `/runs/${runs.plain.runId}`, ready: '.trace-args' },
  {
    name: 'run-decisions',
    path: ({ runs }) => `/runs/${runs.denied.runId}`,
    ready: '.trace-args',
    prepare: async (page) => {
      await page.locator('[data-tab="decisions"]').click()
      await page.locator('.decision').first().waitFor()
    },
  },
  {
    name: 'run-journal',
    path: ({ runs }) => `/runs/${runs.planted.runId}`,
    ready: '.trace-args',
    prepare: async (page) => {
      await page.locator('[data-tab="journal"]').click()
      await page.locator('.journal-head').first().click()
    },
  },
  { name: 'run-workflow', path: ({ runs }) => `/runs/${runs.workflow.runId}`, ready: '.node-run' },
  { name: 'run-scouts', path: ({ runs }) => `/runs/${runs.scouts.runId}`, ready: '.finding' },
  { name: 'memory', path: () => '/memory', ready: '.page td, .page .state' },
  { name: 'overview', path: () => '/overview', ready: '.columns' },
  {
    name: 'what-if',
    path: () => '/what-if',
    ready: 'textarea',
    prepare: async (page) => {
      await page.locator('form button[type=submit]').click()
      await page.locator('.page td, .page .state').first().waitFor()
    },
  },
  {
    name: 'policy',
    path: () => '/policy',
    ready: '.matrix',
    prepare: async (page) => {
      await page.locator('form input').fill('open example.com and read the title')
      await page.locator('form button[type=submit]').click()
      await page.locator('form ul li').first().waitFor()
    },
  },
  {
    name: 'rules',
    path: () => '/rules',
    ready: '.split form',
    prepare: async (page) => {
      await page.locator('form details summary').click()
      await page.locator('form textarea').first().fill(DRAFT_RULES)
      await page.locator('form details summary').click()
      await page.locator('form > .field textarea').fill('git push --force origin main\nls docs')
      await page.locator('form button[type=submit]').click()
      await page.locator('tr[data-differs="true"]').first().waitFor()
    },
  },
  { name: 'rules-shadow', path: () => '/rules?tab=shadow', ready: '.changed td' },
  {
    name: 'decisions',
    path: () => '/decisions',
    ready: 'td',
    prepare: async (page) => {
      await page.locator('form button[type=submit]').click()
      await page.locator('.split section.card').first().waitFor()
    },
  },
  { name: 'workflows', path: () => '/workflows', ready: 'td' },
  { name: 'workflow', path: () => '/workflows/tide-report', ready: '.graph-node' },
  { name: 'agent', path: () => '/agent?workflow=digest', ready: '.tool-picker' },
  { name: 'routines', path: () => '/routines', ready: 'td' },
]
