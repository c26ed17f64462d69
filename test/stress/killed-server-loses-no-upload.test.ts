import { test } from 'vitest'
import { killServer } from '../helpers/kill-server.ts'

test('10,000 uploads of 20 users get through 10 kills of their server, each once', async () => {
  await killServer({ uploads: 10_000, users: 20, atOnce: 16, kills: 10, seed: 1 })
})
