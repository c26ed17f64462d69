import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

const { TMPDIR: _, ...env } = config.test?.env ?? {}
const { projects: __, ...shared } = config.test ?? {}
const onPostgres = 'test/stress/postgres-*.test.ts'
/** On SQLite these are in the tests of every day. */
const onBoth = [
  'test/{operations,delivery,service,accounts,attacks}/**/*.test.ts',
  'test/server/team-notifications.test.ts',
]

/**
 * Long runs: kills, load, fuzz; on a real disk. Those on PostgreSQL share a server; tests of operations and attacks run there,
 * too. `beside`: those that stand beside the tests of their subject; `.ci/run` runs them.
 */
export default defineConfig({
  plugins: config.plugins ?? [],
  test: {
    ...shared,
    env,
    // A limit is for tests that hang: ten thousand uploads take ten minutes on a busy machine.
    testTimeout: 2_400_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'stress',
          include: ['test/stress/**/*.test.ts'],
          exclude: [onPostgres],
        },
      },
      { extends: true, test: { name: 'beside', include: ['test/**/*.stress.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [onPostgres],
          env: { RELT_TEST_DATABASE: 'postgres' },
          globalSetup: 'test/helpers/start-postgres.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'both',
          include: onBoth,
          env: { RELT_TEST_DATABASE: 'postgres' },
          globalSetup: 'test/helpers/start-postgres.ts',
          isolate: false,
        },
      },
    ],
  },
})
