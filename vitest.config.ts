import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/stress/**'],
    // Limits are for tests that hang: a busy machine takes many times as long as an idle one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // No test may reach the keychain or the store of the person who runs it; those that need one set their own.
    env: { RELT_KEYCHAIN: 'off', RELT_HOME: '/nonexistent/relt', NO_COLOR: '', FORCE_COLOR: '' },
  },
})
