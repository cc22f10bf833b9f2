/** Money budgets: what a model call may cost is reserved before it is sent. */
import { WritError } from '../errors/writ-error.ts'
import { messages as texts } from '../i18n/locale.ts'
import { costAt, type Price, type PriceTable, priceOf } from '../journal/prices.ts'
import type { Store } from '../journal/store.ts'
import { type Charge, type Meter, NO_CHARGE, UNMETERED } from '../model/meter.ts'
import type { Model, ModelRequest } from '../model/model.ts'
import { estimatePrompt } from '../model/usage.ts'
import type { Spending, SpendingEntry } from '../ports/spending.ts'
import { type BudgetLimits, type PassedLimit, passedLimits, utcDay } from '../protocol/budget.ts'
import type { EventData } from '../protocol/event.ts'
import type { Usage } from '../protocol/message.ts'
import type { Principal } from '../protocol/principal.ts'

/** What all runs of an agent share. Absent where no limit is set: then nothing is counted. */
export interface Budget {
  limits: BudgetLimits
  prices: PriceTable
  spending: Spending
  store: Pick<Store, 'readOf'>
  /** Counts earlier runs of the owner that had no budget. */
  countEarlier(owner: Principal): Promise<void>
  /** Approvals and warnings of the runs at work, by their root run: child runs share them. */
  approved: Map<string, ReadonlySet<string>>
  warned: Map<string, Set<string>>
}

/** Whose money it is, and for which run. */
export interface Payer {
  budget: Budget | undefined
  owner: Principal
  model: Model
  /** Output tokens of a request that sets no limit of its own. */
  maxOutputTokens: number
  lang: 'en' | 'zh'
  now(): number
  run: {
    runId: string
    parentRunId?: string | undefined
    /** Used by the run so far, and whether that is counted: it may have begun without a budget. */
    usage: Usage
    metered: boolean
    approved: readonly string[]
    warned: readonly string[]
  }
  warn(warning: EventData['budget.warned']): void
}

type BudgetError = WritError<'BUDGET_EXCEEDED'> | WritError<'PRICE_UNKNOWN'>

export function isBudgetError(error: unknown): error is BudgetError {
  return error instanceof WritError && (error.key === 'BUDGET_EXCEEDED' || error.key === 'PRICE_UNKNOWN')
}

/** What an approval covers: one limit, or one model without a price. */
export function approvalOf(error: BudgetError): string {
  return error.key === 'PRICE_UNKNOWN' ? `price ${error.values.model}` : error.values.scope
}

export function meterFor(payer: Payer): Meter {
  const { budget, model } = payer
  if (budget === undefined) return UNMETERED
  let root: Promise<string> | undefined
  return {
    async reserve(request) {
      root ??= rootOf(budget, payer.run)
      const rootRunId = await root
      const approved = approvalsIn(payer, budget, rootRunId)
      const price = priceOf(model.id, budget.prices)
      if (price === undefined) {
        if (approved.has(`price ${model.id}`)) return NO_CHARGE
        throw new WritError('PRICE_UNKNOWN', { model: model.id })
      }
      if (price.input === 0 && price.output === 0) return NO_CHARGE
      return reserveAt(price, request, { payer, budget, rootRunId, approved })
    },
  }
}

interface Reservation {
  payer: Payer
  budget: Budget
  rootRunId: string
  approved: ReadonlySet<string>
}

async function reserveAt(
  price: Price,
  request: ModelRequest,
  { payer, budget, rootRunId, approved }: Reservation,
): Promise<Charge> {
  const { owner, run, now, maxOutputTokens } = payer
  await budget.countEarlier(owner)
  const outputTokens = request.maxOutputTokens ?? maxOutputTokens
  const usd = costAt(price, { inputTokens: estimatePrompt(request), outputTokens })
  const entry: SpendingEntry = { owner, runId: run.runId, rootRunId, day: utcDay(now()), usd }
  if (!run.metered && run.usage.inputTokens > 0) {
    await budget.spending.count([{ ...entry, usd: costAt(price, run.usage) }])
  }
  let passed: PassedLimit[] = []
  const refusal = () => passed.find(({ level, scope }) => level === 'stop' || (level === 'ask' && !approved.has(scope)))
  const { admitted } = await budget.spending.reserve(entry, (spent) => {
    passed = passedLimits(budget.limits, spent, usd)
    return refusal() === undefined
  })
  if (!admitted) {
    const { scope, level, limit, spent } = refusal() as PassedLimit & { level: 'ask' | 'stop' }
    throw new WritError('BUDGET_EXCEEDED', { scope, level, limit, spent, usd })
  }
  for (const each of passed) if (each.level === 'warn') warnOnce(payer, { budget, rootRunId }, { ...each, usd })
  return {
    usd,
    settle: (usage) => budget.spending.correct({ ...entry, usd: costAt(price, usage) - usd }),
    release: () => budget.spending.correct({ ...entry, usd: -usd }),
  }
}

/** A root run brings its approvals along from its journal; its child runs find them here. */
function approvalsIn({ run }: Payer, budget: Budget, rootRunId: string): ReadonlySet<string> {
  if (run.runId === rootRunId && run.approved.length > 0) budget.approved.set(rootRunId, new Set(run.approved))
  return budget.approved.get(rootRunId) ?? new Set()
}

function warnOnce(
  payer: Payer,
  { budget, rootRunId }: Pick<Reservation, 'budget' | 'rootRunId'>,
  { scope, limit, spent, usd }: PassedLimit & { usd: number },
): void {
  const { run, lang } = payer
  if (run.warned.includes(scope)) return
  if (run.runId !== rootRunId) {
    const warned = budget.warned.get(rootRunId) ?? new Set()
    if (warned.has(scope)) return
    budget.warned.set(rootRunId, warned.add(scope))
  }
  const text = texts(lang).notice.budgetWarned({ scope, limit, spent, usd })
  payer.warn({ scope, limit, spent, usd, text })
}

/** The run that a person or a schedule started. Its start is in the store: it is flushed before a child begins. */
async function rootOf({ store }: Budget, { runId, parentRunId }: Payer['run']): Promise<string> {
  let root = runId
  for (let parent = parentRunId; parent !== undefined; ) {
    root = parent
    const [started] = await store.readOf([parent], ['run.started'])
    parent = started?.type === 'run.started' ? started.data.parentRunId : undefined
  }
  return root
}
