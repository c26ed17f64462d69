import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Long runs: kills, load, fuzz. */
export default defineConfig({
  plugins: config.plugins ?? [],
  test: { ...config.test, include: ['test/stress/**/*.test.ts'], exclude: [], testTimeout: 600_000 },
})
