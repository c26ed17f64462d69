import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../../src/db/open.ts'
import { formatTimestamp } from '../../../../src/util/time.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { folderOfFile } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'
import { type Row, scan } from '../../../reports/scan.ts'

const home = folderOfFile()
const day = 86_400

interface Scanned {
  daysAgo: number
  score: number
  rows: Row[]
}

async function upload(folder: string, cluster: string, { daysAgo, score, rows }: Scanned): Promise<void> {
  const generatedAt = formatTimestamp(testNow - daysAgo * day)
    .replace(' ', 'T')
    .concat('Z')
  const report = JSON.stringify(scan(rows, { cluster, score, generatedAt, passed: ['SECcritical', 'SECwarning'] }))
  const { code, stderr } = await runCli(['reports', 'upload', '-'], { home: folder, stdin: report })
  if (code !== 0) throw new Error(stderr)
}

const rows = (severity: string, many: number): Row[] =>
  Array.from({ length: many }, (_, i) => ({ check: `SEC${severity}`, severity, resource: `pod/${severity}-${i}` }))

/** Ten clusters: five that are as they were, and five of which something is new. */
async function makeFleet(folder: string): Promise<void> {
  await makeSmallCatalog(folder)
  for (const cluster of ['dev-1', 'dev-2', 'dev-3', 'dev-4', 'prod-ap']) {
    for (const daysAgo of [2, 1.5, 0.5]) await upload(folder, cluster, { daysAgo, score: 80, rows: rows('warning', 2) })
  }
  await upload(folder, 'prod-eu', { daysAgo: 60, score: 70, rows: rows('critical', 1) })
  await upload(folder, 'prod-eu', { daysAgo: 0.5, score: 70, rows: rows('critical', 1) })
  await upload(folder, 'edge-us', { daysAgo: 1.5, score: 84, rows: rows('warning', 1) })
  await upload(folder, 'edge-us', { daysAgo: 0.2, score: 70, rows: [...rows('warning', 1), ...rows('critical', 7)] })
  await upload(folder, 'edge-eu', { daysAgo: 1.5, score: 84, rows: [] })
  await upload(folder, 'edge-eu', { daysAgo: 0.3, score: 80, rows: rows('critical', 2) })
  await upload(folder, 'batch', { daysAgo: 1.5, score: 90, rows: [] })
  await upload(folder, 'batch', { daysAgo: 0.3, score: 85, rows: rows('warning', 3) })
  for (const daysAgo of [51, 50, 49, 48, 47, 46, 45]) {
    await upload(folder, 'lab', { daysAgo, score: 88, rows: rows('warning', 1) })
  }
}

/** An exploited vulnerability that was there for as long as the cluster. */
async function plantExploited(folder: string, cluster: string): Promise<void> {
  await runCli(['status'], { home: folder })
  const db = await openDatabase(join(folder, 'relt.db'))
  onTestFinished(() => db.destroy())
  const { id } = await db.selectFrom('cluster').select('id').where('name', '=', cluster).executeTakeFirstOrThrow()
  await db.updateTable('cluster_summary').set({ exploited: 1, affected: 1 }).where('cluster_id', '=', id).execute()
}

beforeAll(() => makeFleet(home))

const status = async (argv: string[] = [], columns = 80) => {
  const { stdout, stderr, code } = await runCli(['status', ...argv], { home, columns, env: { NO_COLOR: '1' } })
  expect(code).toBe(0)
  return stdout + stderr
}

describe('relt status of ten clusters', () => {
  test('fits 24 rows of 80 columns, what is new and critical first', async () => {
    await plantExploited(home, 'prod-eu')
    const text = await status()
    expect(text).toMatchInlineSnapshot(`
      "5 of 10 clusters need attention
      1 with exploited vulnerabilities, 2 with new critical findings, 1 silent, 3 with
      a lower score.
      5 more have known problems only.
      New since Mon 08:00: 2 critical of 3 findings.
      Standing: 10 critical in 3 clusters, not accepted, the oldest for 60 d; 10 out
      of support.
      CLUSTER  SCORE  CHANGE  WHY                                   SCANNED
      edge-us     70     -14  1 new critical +3                     4 hours ago
      edge-eu     80      -4  1 new critical +3                     7 hours ago
      batch       85      -5  score fell by 5 +2                    7 hours ago
      prod-eu     70       0  1 with an exploited vulnerability +1  12 hours ago
      lab         88       -  silent for 45 days; usually daily +2  1 month ago
      "
    `)
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(24)
    expect(await status()).toBe(text)
  })

  test('uses the width of 120 columns', async () => {
    expect(await status([], 120)).toMatchInlineSnapshot(`
      "5 of 10 clusters need attention
      1 with exploited vulnerabilities, 2 with new critical findings, 1 silent, 3 with a lower score.
      5 more have known problems only.
      New since Mon 08:00: 2 critical of 3 findings.
      Standing: 10 critical in 3 clusters, not accepted, the oldest for 60 d; 10 out of support.
      CLUSTER  SCORE  CHANGE  WHY                                   SCANNED
      edge-us     70     -14  1 new critical +3                     4 hours ago
      edge-eu     80      -4  1 new critical +3                     7 hours ago
      batch       85      -5  score fell by 5 +2                    7 hours ago
      prod-eu     70       0  1 with an exploited vulnerability +1  12 hours ago
      lab         88       -  silent for 45 days; usually daily +2  1 month ago
      "
    `)
  })

  test('shows all reasons of one cluster', async () => {
    expect(await status(['prod-eu'])).toMatchInlineSnapshot(`
      "prod-eu (prod)  score 70 0, scanned 12 hours ago
      Needs attention
      Nothing new since Mon 08:00.
      Standing: 1 critical in 1 cluster, not accepted, the oldest for 60 d; 1 out of
      support.
      Now
        1 with an exploited vulnerability
      Known
        1 out of support
      Not known
        No gate has judged it.
        No run lists what runs.
      Upgrade to Kubernetes 1.34: CANNOT DETERMINE (1), no part to move
      "
    `)
    expect(await status(['lab'])).toContain('silent for 45 days; usually daily')
  })

  test('shows one screen of many clusters, and how many more there are', async () => {
    const { stdout } = await runCli(['status', '--limit', '2'], { home, columns: 80, env: { NO_COLOR: '1' } })
    expect(stdout).toContain('3 more: --limit 100.')
  })
})

test('a hundred clusters fit one screen, which counts the others, and a second look says the same', async () => {
  const folder = temporaryFolder()
  await makeSmallCatalog(folder)
  for (let i = 0; i < 100; i++) {
    const name = `cluster-${String(i).padStart(3, '0')}`
    if (i % 4 === 0) await upload(folder, name, { daysAgo: 60, score: 80, rows: [] })
    await upload(folder, name, { daysAgo: 0.5, score: 80, rows: rows('critical', i % 4 === 0 ? 1 : 0) })
  }
  await plantExploited(folder, 'cluster-099')
  for (const columns of [80, 120]) {
    const look = async () => {
      const { stdout, stderr } = await runCli(['status'], { home: folder, columns, env: { NO_COLOR: '1' } })
      return stdout + stderr
    }
    const text = await look()
    expect(text).toContain('26 of 100 clusters need attention')
    expect(text).toContain('14 more: --limit 100.')
    expect(text).toContain('1 with exploited vulnerabilities')
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(23)
    expect(await look()).toBe(text)
  }
})
