// The same properties as in the suite, on more messages.
process.env.RELT_TEST_RUNS = '2000'
await import('../notify/render.test.ts')
