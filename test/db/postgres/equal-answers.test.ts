import { expect, inject, test } from 'vitest'
import type { DatabaseKind } from '../../../src/db/kind.ts'
import { setMeta } from '../../../src/db/meta.ts'
import { insertRelease } from '../../../src/store/catalog/release-change.ts'
import { formatTimestamp } from '../../../src/util/time.ts'
import { day, now } from '../../operations/service.ts'
import { scan } from '../../reports/scan.ts'
import { openHttp } from '../../server/http.ts'
import { project, release, save } from '../../store/bundled.ts'
import { withoutChance } from './without-chance.ts'

const server = inject('postgres')
const at = (days: number) => formatTimestamp(now - days * day)

/** In the order of code points these differ from the order of languages. */
const names = [
  'zebra',
  'Zebra',
  'äpfel',
  'Äpfel',
  'apfel',
  '_under',
  '10',
  '9',
  'a b',
  'a-b',
  'éclair',
  '\u{1F600}',
  '\uFF21',
  'ß',
  '%',
  '\\',
]

const advisories = {
  as_of: '2026-08-05',
  advisories: [
    ['CVE-2026-5000', ['GHSA-qppj-fm5r-hxr3'], 'high', 8.1, '2026-01-02', 0, [['0', '3.5.2']], ['osv']],
    ['CVE-2026-5001', [], null, 7, null, 1, [['0', null, '3.4.0']], ['osv']],
  ],
}

const catalog = names.map((name, index) =>
  project(`project-${index}`, {
    name,
    category: index % 2 ? 'CI/CD' : 'ci/cd',
    image_repositories: [`quay.io/team/app-${index}`, `ghcr.io/team/app-${index}`],
    helm_chart_names: [`chart-${index}`, `Chart-${index}`],
    ...(index === 0 && { advisories }),
    releases: [
      release(`v3.${index}.0`, at(index + 1)),
      release('v3.5.1', at(30)),
      release('v3.6.0-rc1', at(3), { type: 'pre' }),
    ],
  } as Parameters<typeof project>[1]),
)

const search = (text: string) => `/projects?search=${encodeURIComponent(text)}`

const addresses = [
  '/projects',
  '/projects?per_page=5&page=2',
  ...['app', 'AP', 'ÄPFEL', 'a', '%', '_', '\\', '0', 'ci/', 'CI/CD', '\u{1F600}'].map(search),
  '/recent-releases?limit=50',
  '/recent-releases?limit=5&category=CI%2FCD',
  '/recent-releases?limit=50&security_only=true',
  '/popular-projects',
  '/stats',
  '/existing-releases?per_page=100',
  '/status',
  '/cluster-reports',
  '/cluster-reports?per_page=3&page=2',
  '/clusters',
  '/risk-paths',
  '/findings',
  '/findings/top',
  '/labels',
  '/subscriptions',
  '/dashboard',
  '/my-subscriptions',
  '/feed',
  '/api-keys/current',
  '/agents',
  '/exceptions',
  '/exceptions?state=active',
  '/exceptions?state=expired&ended_days=1',
  '/deliveries',
  '/impact?project=1&version=v3.0.0',
  '/account/settings',
  '/dashboard-activity',
  '/dashboard-logs',
  '/clusters/versions?product_id=1',
]

/** Answers of a store with the same contents, with ids of chance replaced by their order. */
async function answersFor(database: DatabaseKind): Promise<Record<string, string>> {
  const http = await openHttp({ failuresPerMinute: 0 }, undefined, { database })
  await save(http.db, catalog, now)
  await setMeta(http.db, 'catalog_date', '2099-01-01')
  const { headers } = await http.signUp('owner', { role: 'admin', plan: 'pro_plus' })
  const post = async (path: string, body: unknown) => {
    const answer = await http.call(path, { headers, body })
    expect([path, answer.status < 300 || answer.body]).toEqual([path, true])
    return answer.body
  }
  for (const [index, name] of names.slice(0, 12).entries()) {
    // Names differ by more than their case.
    if (name === name.toLowerCase()) await post('/labels', { label_name: name, label_color: '#1f6feb' })
    await post('/toggle-sub', { product_id: index + 1 })
  }
  for (const [index, name] of names.slice(0, 8).entries()) {
    http.clock.now += 60
    const rows = [{ message: `pod ${name}` }, { check: 'B', message: `service ${index}` }]
    await post('/cluster-reports', { cluster: { name, environment: index % 2 ? 'prod' : 'Prod' }, report: scan(rows) })
  }
  http.clock.now += 60
  await post('/cluster-reports', {
    cluster: { name: names[0], environment: 'Prod' },
    report: scan([{ message: 'new' }]),
  })
  await post('/exceptions', { check: 'B', all_clusters: true, reason: 'Known', expires_on: '2026-12-31' })
  for (const next_release_of of [1, 2]) {
    await post('/exceptions', {
      check: 'B',
      all_clusters: true,
      reason: 'Until a release',
      expires_on: '2026-12-31',
      next_release_of,
    })
  }
  http.clock.now += 60
  await insertRelease(http.db, { product_id: 2, version: 'v4.0.0', type: 'app' }, '', http.clock.now)
  const answers: Record<string, string> = {}
  for (const address of addresses) {
    const { status, body } = await http.call(address, { headers })
    answers[address] = withoutChance(`${status} ${JSON.stringify(body)}`)
  }
  return answers
}

test.skipIf(!server)('answers are equal byte for byte on both databases', async () => {
  const [sqlite, postgres] = [await answersFor('sqlite'), await answersFor('postgres')]
  expect(postgres).toEqual(sqlite)
  expect(Object.values(sqlite).filter((answer) => answer.startsWith('200')).length).toBeGreaterThan(20)
})
