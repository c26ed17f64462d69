/** `node noisy-neighbor.ts URL KEY UPLOAD-KEY REFUSED LARGE` asks for all that is expensive, until it is ended. */
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

const [url, key, uploadKey] = process.argv.slice(2, 5) as [string, string, string]
const refused = readFileSync(process.argv[5]!)
const large = readFileSync(process.argv[6]!, 'utf8')
const [beforeTime, afterTime] = large.split('2026-06-01T10:00:00Z') as [string, string]
const expensive = [
  '/clusters',
  '/clusters?sort=urgency',
  '/findings?search=orders',
  '/findings?group_by=resource',
  '/cluster-reports/compare',
  '/cluster-reports/trends?group_by_cluster=true&checks=true',
  '/impact',
  '/risk-paths',
]
const counts: Record<string, number> = {}

async function send(path: string, authorization: string, body?: Buffer | string): Promise<void> {
  const headers = { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const init = { headers, ...(body !== undefined && { method: 'POST', body: body as string }) }
  const answer = await fetch(`${url}/api/relt/v1${path}`, init).catch(() => undefined)
  await answer?.arrayBuffer().catch(() => undefined)
  const name = `${path.split('?')[0]} ${answer?.status}`
  counts[name] = (counts[name] ?? 0) + 1
  if (answer?.status !== 200 && answer?.status !== 201 && answer?.status !== 400) await setTimeout(200)
}

let number = 0
const largeBody = () => {
  const time = new Date(Date.UTC(2026, 5, 3) + 1000 * ++number).toISOString()
  return `{"report":${beforeTime}${time}${afterTime}}`
}
const forever = async (work: () => Promise<void>) => {
  for (;;) await work()
}

for (let i = 0; i < 6; i++) void forever(() => send('/cluster-reports', uploadKey, refused))
for (let i = 0; i < 4; i++) void forever(() => send('/cluster-reports', key, largeBody()))
for (const path of expensive) void forever(() => send(path, key))
await setTimeout(3000)
console.log('ready')
process.on('SIGTERM', () => {
  console.error(`  alice: ${JSON.stringify(counts)}`)
  process.exit()
})
