/** The baseline: the global fetch and a list of messages. */
import { runBare } from '../bare-loop.ts'
import type { Open } from '../contender.ts'

export const open: Open = async ({ baseURL }) => {
  const headers = { 'content-type': 'application/json' }
  return {
    run: (task) =>
      runBare(task, async (body) => {
        const response = await fetch(`${baseURL}/chat/completions`, { method: 'POST', headers, body })
        return response.json()
      }),
  }
}
