/** Uploads small reports until it is killed, and prints how long each took: `node timed-writer.ts SEED`, in milliseconds. */
import { createLocalClient } from '../../src/client/local.ts'
import { smallReport } from './small-report.ts'

const [seed = '0'] = process.argv.slice(2)
const now = Math.floor(Date.now() / 1000)
const client = await createLocalClient({ env: process.env, now: () => now })
for (let number = 0; ; number++) {
  const report = smallReport(`${seed}-${number}`)
  const began = performance.now()
  await client.call('uploadReport', { body: { cluster: { name: `cluster-${seed}` } }, report })
  process.stdout.write(`${(performance.now() - began).toFixed(2)}\n`)
}
