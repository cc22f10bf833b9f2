/** The time limit of a call. It stands still while a person is asked: reading a question takes as long as it takes. */
export interface TimeLimit {
  untimed<T>(work: () => Promise<T>): Promise<T>
  clear(): void
}

export function startTimeLimit(ms: number, onOver: () => void): TimeLimit {
  let left = ms
  let since = 0
  let pauses = 0
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    since = performance.now()
    if (Number.isFinite(left)) timer = setTimeout(onOver, left)
  }
  start()
  return {
    async untimed(work) {
      if (pauses++ === 0) {
        clearTimeout(timer)
        left = Math.max(1, left - (performance.now() - since))
      }
      try {
        return await work()
      } finally {
        if (--pauses === 0) start()
      }
    },
    clear() {
      left = Number.POSITIVE_INFINITY
      clearTimeout(timer)
    },
  }
}
