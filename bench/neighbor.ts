/**
 * `node neighbor.ts URL AUTHORIZATION read|upload SECONDS` prints median and p99 in ms of requests that begin at an even rate.
 * A refusal counts as long as the whole measurement.
 */
import { setTimeout } from 'node:timers/promises'
import { generateReport } from './generate-report.ts'

const [url, authorization, kind, duration] = [
  process.argv[2]!,
  process.argv[3]!,
  process.argv[4]!,
  Number(process.argv[5]),
]
const everyMs = kind === 'read' ? 250 : 500
const refusedMs = duration * 1000

async function request(number: number): Promise<number> {
  const started = performance.now()
  const answer =
    kind === 'read'
      ? await fetch(`${url}/api/relt/v1/findings?severity=critical`, { headers: { authorization } })
      : await fetch(`${url}/api/relt/v1/cluster-reports`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ report: smallReport(number) }),
        })
  await answer.arrayBuffer()
  return answer.ok ? performance.now() - started : refusedMs
}

function smallReport(number: number): object {
  const generatedAt = new Date(Date.now() - 86_400_000 + number * 1000).toISOString()
  return generateReport({ findings: 3, seed: 10 + (number % 5), generatedAt })
}

const times: Promise<number>[] = []
const started = performance.now()
while (performance.now() - started < duration * 1000) {
  times.push(request(times.length))
  await setTimeout(everyMs)
}
// The first ones open the connections.
const all = (await Promise.all(times)).slice(4).sort((a, b) => a - b)
const at = (part: number) => all[Math.floor(all.length * part)]!
console.log(JSON.stringify({ count: all.length, median: at(0.5), p99: at(0.99) }))
