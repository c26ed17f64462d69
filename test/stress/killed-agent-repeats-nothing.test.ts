import { expect, test } from 'vitest'
import { killScanningAgent, killWatchingAgent } from '../helpers/kill-agent.ts'

const kills = Number(process.env.RELT_STRESS_KILLS ?? 100)
const files = Number(process.env.RELT_STRESS_FILES ?? 10_000)

test('an agent that is killed 100 times ends each occurrence once and stores each report once', {
  timeout: 3_600_000,
}, async () => {
  await killScanningAgent({ kills, seed: 1 })
  expect(kills).toBeGreaterThan(0)
})

test('an agent that is killed 20 times takes 10,000 files once each', { timeout: 3_600_000 }, async () => {
  await killWatchingAgent({ files, kills: Math.min(20, kills), seed: 2 })
})
