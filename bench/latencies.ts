/**
 * `node latencies.ts URL RATE SECONDS` prints median and p99 in ms, as JSON. A process of its own: what else a bench keeps
 * in memory would make pauses that look like the server's.
 */
import { Agent, get } from 'node:http'
import { setTimeout } from 'node:timers/promises'

const [url, perSecond, seconds] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])]
const agent = new Agent({ keepAlive: true, maxSockets: 50 })

/** Of requests that begin at an even rate, whether or not those before have been answered. */
async function measure(): Promise<number[]> {
  const times: Promise<number>[] = []
  const started = performance.now()
  while (performance.now() - started < seconds * 1000) {
    const due = ((performance.now() - started) * perSecond) / 1000
    while (times.length < due) times.push(latencyOf(`${url}${times.length}`))
    await setTimeout(1)
  }
  return Promise.all(times)
}

function latencyOf(url: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const started = performance.now()
  get(url, { agent }, (response) => {
    response.resume().once('end', () => resolve(performance.now() - started))
  }).once('error', reject)
  return promise
}

// The first ones open the connections.
const all = (await measure()).slice(perSecond / 2).sort((a, b) => a - b)
agent.destroy()
const at = (part: number) => all[Math.floor(all.length * part)]!
console.log(JSON.stringify({ median: at(0.5), p99: at(0.99) }))
