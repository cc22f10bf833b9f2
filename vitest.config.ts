import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['writ-source'] },
  ssr: { resolve: { conditions: ['writ-source'] } },
  test: {
    include: ['runtime/**/*.test.ts', 'examples/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    allowOnly: false,
    pool: 'forks',
  },
})
