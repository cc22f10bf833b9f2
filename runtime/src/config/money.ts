/** Prices and money budgets. */
import * as z from 'zod'

const usd = z.number().min(0)
const text = z.string().min(1)

export const price = z.strictObject({
  input: usd.describe('US dollars per million input tokens.'),
  output: usd.describe('US dollars per million output tokens.'),
  cachedInput: usd.optional().describe('Of input tokens read from the cache. Unset: the input price.'),
  cacheWrite: usd.optional().describe('Of input tokens written to the cache. Unset: the input price.'),
  asOf: text.optional().describe('Date of the price.'),
  source: text.optional().describe('Source of the price.'),
})

const limits = (what: string) =>
  z
    .strictObject({
      warn: usd.optional().describe(`US dollars for ${what}: above this, a notice.`),
      ask: usd.optional().describe(`US dollars for ${what}: above this, a person is asked once in each run.`),
      stop: usd.optional().describe(`US dollars for ${what}: above this, no model is called.`),
    })
    .prefault({})

/** All unset: nothing is counted or asked. */
export const budget = z.strictObject({
  run: limits('a run and its child runs'),
  principal: limits('all runs of a principal'),
  day: limits('the runs of a principal on one UTC day'),
})
