import type { Running } from './http-load.ts'
import { type Figure, median } from './measure.ts'
import { cpuMs, get, withSite } from './site.ts'

const mostMs = 500
const scrapes = 20

/**
 * CPU time of the server for a scrape of 1,000 clusters, without exceptions and with one for all of them. The first scrape, which
 * starts a thread and compiles, is shown and has no bound.
 */
export function metrics(): Promise<Figure[]> {
  return withSite({ clusters: 1000, runs: 2, findings: 1000 }, async (site) => {
    const figures = await scrape(site, 'scrape of 1,000 clusters')
    const body = { check: 'SEC003', reason: 'known', expires_on: '2099-01-01' }
    await get(site, '/api/relt/v1/exceptions', body)
    return [...figures, ...(await scrape(site, 'the same with an exception for all'))]
  })
}

async function scrape(site: Running, name: string): Promise<Figure[]> {
  const times: number[] = []
  for (let i = 0; i <= scrapes; i++) {
    const before = cpuMs(site.process)
    await get(site, '/metrics/answers')
    times.push(cpuMs(site.process) - before)
  }
  const [first, ...later] = times
  const figure = (name: string, ours: number): Figure => ({ name, ours, base: mostMs, unit: 'ms' })
  return [
    figure(`first ${name} / ${mostMs} ms`, first!),
    { ...figure(`${name} / ${mostMs} ms`, median(later)), atMost: 1 },
  ]
}
