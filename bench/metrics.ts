import type { Running } from './http-load.ts'
import { type Figure, median } from './measure.ts'
import { cpuOfHomePage, cpuOfViews, get, withSite } from './site.ts'

const scrapes = 20

/**
 * CPU time of the server for a scrape of 1,000 clusters, without exceptions and with one for all of them. The first scrape, which
 * starts a thread and compiles, is shown and has no bound.
 */
export function metrics(): Promise<Figure[]> {
  return withSite({ clusters: 1000, runs: 2, findings: 1000 }, async (site) => {
    const home = await cpuOfHomePage(site)
    const figures = await scrape(site, home, 'scrape of 1,000 clusters')
    const body = { check: 'SEC003', all_clusters: true, reason: 'known', expires_on: '2099-01-01' }
    await get(site, '/api/relt/v1/exceptions', body)
    return [...figures, ...(await scrape(site, home, 'the same with an exception for all'))]
  })
}

async function scrape(site: Running, base: number, name: string): Promise<Figure[]> {
  const [first, ...later] = await cpuOfViews(site, '/metrics/answers', scrapes + 1)
  const figure = (name: string, ours: number): Figure => ({ name: `${name} / home page`, ours, base, unit: 'ms' })
  return [{ ...figure(`first ${name}`, first!), isUnbounded: true }, figure(name, median(later))]
}
