/** The settings of undo. */
import * as z from 'zod'

export const undo = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe('Record the workspace before the first change of a turn, for `writ undo`. Needs git.'),
  maxBytes: z
    .int()
    .min(1)
    .default(200_000_000)
    .describe(
      'A larger workspace, ignored files not counted, is not recorded. A file above a tenth of it is left out.',
    ),
})
