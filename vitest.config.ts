import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Other files in the same worker would get the replaced module too. */
const replacingModules = globSync('test/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes('vi.mock('))

export default defineConfig({
  test: {
    // Limits are for tests that hang: a busy machine takes many times as long as an idle one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: availableParallelism(),
    env: {
      // No test may reach the keychain or the store of the person who runs it; those that need one set their own.
      RELT_KEYCHAIN: 'off',
      RELT_HOME: '/nonexistent/relt',
      NO_COLOR: '',
      FORCE_COLOR: '',
      // Processes that tests start compile the source once.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url)),
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: ['test/stress/**', ...replacingModules],
          // Loading the source again for each file takes longer than most tests.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: replacingModules } },
    ],
  },
})
