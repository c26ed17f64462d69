import { globSync, readFileSync, statfsSync } from 'node:fs'
import { availableParallelism, devNull } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/helpers/longest-first.ts'
import { clearOthers, hasGit, whyNoPostgres } from './test/helpers/machine.ts'
import { newStoreFile, reltFile } from './test/helpers/prepared.ts'

clearOthers(process.env)
const noPostgres = whyNoPostgres()
if (noPostgres) console.log(`Tests on PostgreSQL are skipped: ${noPostgres}.`)
if (!hasGit) console.log('Tests of release versions are skipped: git is not on the PATH.')

/** Sweeps over every value, attacks and browsers, beside the tests of the same subject that run every day. */
const inStress = 'test/**/*.stress.test.ts'

/** These share a server, which starts only for them. */
const onPostgres = 'test/db/postgres/**/*.test.ts'

/**
 * Other files in the same worker would get the replaced module, the signal or the pulled catalog too. Playwright contains a zod
 * that changes the messages of ours.
 */
const touchingOthers = globSync('test/**/*.test.ts', { exclude: ['test/stress/**', inStress, onPostgres] }).filter(
  (file) => /vi\.mock\(|process\.emit\(|helpers\/browser\.ts|\/publisher\.ts/.test(readFileSync(file, 'utf8')),
)

/** Queries are tested on both databases, and once every route; all else on PostgreSQL is in the stress tests. */
const onBoth = 'test/store/**/*.test.ts'

/** Modules of the source that tests replace, by the end of their path. */
const replaced: Record<string, string> = {
  // As in both builds, a new store begins as a file with the bundled catalog: importing it takes longer than most tests.
  'catalog/new-store.ts': `import { readFileSync } from 'node:fs'
    const file = readFileSync(${JSON.stringify(newStoreFile)})
    export const readNewStore = () => file`,
  // Threads run the built program: loading the source takes longer than most tests.
  'server/worker-program.ts': `import { pathToFileURL } from 'node:url'
    export const workerProgram = () => pathToFileURL(${JSON.stringify(reltFile)})`,
  // Tests sign in hundreds of times,
  'operations/accounts/password-cost.ts': 'export const passwordCost = { N: 2 ** 12, r: 8, p: 1 }',
  // and call servers that are down.
  'client/pauses.ts': 'export const firstPauseMs = 4, longestPauseMs = 2000',
  // What a terminal shows does not depend on how fast the machine is.
  'cli/output/progress-patience.ts': 'export const progressPatienceMs = Number.POSITIVE_INFINITY',
}

const prepared = {
  name: 'prepared',
  enforce: 'pre' as const,
  load: (id: string) => replaced[/(?<=[\\/]src[\\/]).*$/.exec(id)?.[0].replaceAll('\\', '/') ?? ''],
}

/** Stores and spools wait for the disk after each write: in memory, where there is much of it, they do not. */
function memoryFolder(): string | undefined {
  try {
    const { type, bavail, bsize } = statfsSync('/dev/shm')
    return type === tmpfs && bavail * bsize > 4 * 1024 ** 3 ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}
const tmpfs = 0x01021994
const temporary = memoryFolder()

const postgres = {
  extends: true as const,
  test: {
    name: 'postgres',
    include: [onPostgres, onBoth],
    env: { RELT_TEST_DATABASE: 'postgres' },
    isolate: false,
    globalSetup: 'test/helpers/start-postgres.ts',
  },
}

export default defineConfig({
  plugins: [prepared],
  test: {
    globalSetup: 'test/helpers/prepare.ts',
    setupFiles: ['test/helpers/compare-bytes.ts', 'test/helpers/own-machine-only.ts'],
    // Limits are for tests that hang: a busy machine takes many times as long as an idle one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Most of what tests allocate is garbage at once. With room for it, V8 collects it less often and moves less; without a
    // least size it takes the room away again whenever something allocates buffers.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=32'],
    // More than there are cores: many tests wait for processes and time-outs.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    env: {
      // No test may reach the keychain or the store of the person who runs it; those that need one set their own.
      RELT_KEYCHAIN: 'off',
      RELT_HOME: '/nonexistent/relt',
      NO_COLOR: '',
      FORCE_COLOR: '',
      // Commits of tests are not signed.
      GIT_CONFIG_GLOBAL: devNull,
      GIT_CONFIG_NOSYSTEM: '1',
      ...(temporary && { TMPDIR: temporary }),
      // Processes that tests start compile the source once.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url)),
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: ['test/stress/**', inStress, onPostgres, ...touchingOthers],
          // Loading the source again for each file takes longer than most tests.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: touchingOthers } },
      ...(noPostgres ? [] : [postgres]),
    ],
  },
})
