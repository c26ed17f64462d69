import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

const { TMPDIR: _, ...env } = config.test?.env ?? {}

/** Long runs: kills, load, fuzz; on a real disk. */
export default defineConfig({
  plugins: config.plugins ?? [],
  test: { ...config.test, env, include: ['test/stress/**/*.test.ts'], exclude: [], testTimeout: 600_000 },
})
