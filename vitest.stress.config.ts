import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

const { TMPDIR: _, ...env } = config.test?.env ?? {}
const { projects: __, ...shared } = config.test ?? {}
const onPostgres = 'test/stress/postgres-*.test.ts'

/** Long runs: kills, load, fuzz; on a real disk. Those on PostgreSQL share a server. */
export default defineConfig({
  plugins: config.plugins ?? [],
  test: {
    ...shared,
    env,
    testTimeout: 600_000,
    projects: [
      { extends: true, test: { name: 'stress', include: ['test/stress/**/*.test.ts'], exclude: [onPostgres] } },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [onPostgres],
          env: { RELT_TEST_DATABASE: 'postgres' },
          globalSetup: 'test/helpers/start-postgres.ts',
        },
      },
    ],
  },
})
