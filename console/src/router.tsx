/** The routes. The code of a page is loaded when it is first opened. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { ErrorNote, Loading } from './parts/states.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

const chat = lazyRouteComponent(() => import('./pages/chat/chat-page.tsx'), 'ChatPage')

export interface RunFilter {
  mode?: string
  stop?: string
  q?: string
  since?: string
  session?: string
  agent?: string
}

export const SPAN_NAMES = ['1d', '7d', '30d'] as const

const RUN_TABS = ['timeline', 'decisions', 'journal'] as const

/** What of a run is shown: a view, a call in the timeline, a type of event in the journal. */
export interface RunPlace {
  tab?: (typeof RUN_TABS)[number]
  step?: number
  type?: string
}

/** One run, and which of the changed decisions are shown. */
export interface WhatIfPlace {
  run?: string
  change?: string
  tool?: string
  reason?: string
}

function texts(search: Record<string, unknown>, keys: readonly string[]): Record<string, string> {
  // The router reads `?q=42` as a number.
  const given = keys.map((key) => [key, String(search[key] ?? '')] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}

function oneOf<K extends string, T extends string>(
  search: Record<string, unknown>,
  key: K,
  values: readonly T[],
): { [N in K]?: T } {
  const found = values.find((value) => value === search[key])
  return (found === undefined ? {} : { [key]: found }) as { [N in K]?: T }
}

const routes = [
  createRoute({ getParentRoute: () => root, path: '/', component: chat }),
  createRoute({ getParentRoute: () => root, path: '/chat/$sessionId', component: chat }),
  createRoute({
    getParentRoute: () => root,
    path: '/runs',
    validateSearch: (search): RunFilter => texts(search, ['mode', 'stop', 'q', 'since', 'session', 'agent']),
    component: lazyRouteComponent(() => import('./pages/runs/runs-page.tsx'), 'RunsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/runs/$runId',
    validateSearch: (search): RunPlace => ({
      ...oneOf(search, 'tab', RUN_TABS),
      ...texts(search, ['type']),
      ...(typeof search.step === 'number' ? { step: search.step } : {}),
    }),
    component: lazyRouteComponent(() => import('./pages/run/run-page.tsx'), 'RunPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/what-if',
    validateSearch: (search): WhatIfPlace => texts(search, ['run', 'change', 'tool', 'reason']),
    component: lazyRouteComponent(() => import('./pages/what-if/what-if-page.tsx'), 'WhatIfPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/approvals',
    component: lazyRouteComponent(() => import('./pages/approvals/approvals-page.tsx'), 'ApprovalsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/policy',
    component: lazyRouteComponent(() => import('./pages/policy/policy-page.tsx'), 'PolicyPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/rules',
    validateSearch: (search): WhatIfPlace & { tab?: 'draft' | 'force' | 'shadow' } => ({
      ...oneOf(search, 'tab', ['draft', 'force', 'shadow'] as const),
      ...texts(search, ['change', 'tool', 'reason']),
    }),
    component: lazyRouteComponent(() => import('./pages/rules/rules-page.tsx'), 'RulesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/agent',
    validateSearch: (search): { workflow?: string; node?: string } => texts(search, ['workflow', 'node']),
    component: lazyRouteComponent(() => import('./pages/agent/agent-page.tsx'), 'AgentPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/workflows',
    component: lazyRouteComponent(() => import('./pages/workflows/workflows-page.tsx'), 'WorkflowsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/workflows/$name',
    validateSearch: (search) => oneOf(search, 'view', ['graph', 'json'] as const),
    component: lazyRouteComponent(() => import('./pages/workflows/workflow-page.tsx'), 'WorkflowPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/routines',
    component: lazyRouteComponent(() => import('./pages/routines/routines-page.tsx'), 'RoutinesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/memory',
    validateSearch: (search): { q?: string } => texts(search, ['q']),
    component: lazyRouteComponent(() => import('./pages/memory/memory-page.tsx'), 'MemoryPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/decisions',
    component: lazyRouteComponent(() => import('./pages/decisions/decisions-page.tsx'), 'DecisionsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/overview',
    validateSearch: (search) => oneOf(search, 'span', SPAN_NAMES),
    component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
  }),
] as const

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: 'intent',
  defaultPendingComponent: () => (
    <div className="page">
      <Loading />
    </div>
  ),
  defaultErrorComponent: ({ error }) => (
    <div className="page">
      <ErrorNote error={error} />
    </div>
  ),
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
