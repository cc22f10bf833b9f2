/** Settings under `agent.limits`: how much a run may use. */
import * as z from 'zod'

const positive = z.int().min(1)
/** Node's timers overflow above this and would fire immediately. */
const ms = z.int().min(1).max(2_147_483_647)

export const limits = z.strictObject({
  maxSteps: positive.default(10).describe('Model replies of one run.'),
  historyMessages: positive
    .default(50)
    .describe(
      'Messages of earlier turns that are sent to the model, from the newest turn back. A turn that does not fit is sent as its question and its answer. The current turn is not limited by this, only by contextTokens, and the journal is never cut.',
    ),
  runMs: ms.optional().describe('Time limit of a run. Unset: none.'),
  callMs: ms.optional().describe("Time limit of a tool call. Unset: the tool's own."),
  observationMaxLen: positive
    .default(32_000)
    .describe(
      'Characters of a tool result shown to the model. Longer results are kept in a file; head and tail are shown.',
    ),
  contextTokens: z
    .int()
    .min(1_000)
    .optional()
    .describe(
      "Tokens that fit into the model's context window, including the answer. Unset: known from the model's name or learned from the provider's refusal.",
    ),
  modelIdleMs: ms.default(60_000).describe('Idle limit of a model stream: the longest time without any data.'),
  modelTotalMs: ms
    .default(600_000)
    .describe(
      'Time limit of a model call, with or without streaming. The time in which a model only thinks counts too.',
    ),
  modelAttempts: z.int().min(1).max(10).default(3).describe('Maximum attempts of a model call.'),
})
