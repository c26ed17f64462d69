import type { Client } from '../../src/client/client.ts'
import { createLocalClient } from '../../src/client/local.ts'
import { temporaryFolder, testNow } from './cli.ts'
import { makeSmallCatalog, smallReport, smallReports } from './small-store.ts'

/** A store with the small catalog. */
export async function makeHome(): Promise<string> {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  return home
}

/** Works on the store of a folder. */
export async function inStore<T>(home: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => testNow })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

const day = (index: number) => new Date(Date.UTC(2026, 7, 1 + (index % 28), 6, index)).toISOString()

/** Runs of several clusters, environments and scanners, with and without times. */
export async function addRuns(client: Client, count: number): Promise<void> {
  const upload = (report: object, body: object) =>
    client.call('uploadReport', { body, report: Buffer.from(`${JSON.stringify(report, null, 1)}\n`) })
  for (const [index, report] of smallReports.entries()) {
    const ci = { provider: 'github', commit: `c${index}` }
    await upload(report, { source: 'test', cluster: { provider: 'aks', region: 'eu' }, ci })
  }
  for (let index = 0; index < count; index++) {
    const message = (each: number) => ({
      Namespace: 'shop',
      Resource: `pod/p${each}`,
      Message: `m${(index * each) % 7}`,
    })
    const items = Array.from({ length: 1 + (index % 4) }, (_, each) => message(each))
    const report = smallReport(day(index), 50 + (index % 40), { SEC001: { severity: 'high', items } })
    await upload(report, { cluster: { name: `c${index % 3}` }, environment: index % 2 ? 'prod' : 'test' })
  }
  // No time in the report, and what runs beside it.
  const popeye = {
    popeye: {
      report_time: '',
      score: 80,
      grade: 'B',
      sections: [
        {
          linter: 'pods',
          gvr: 'v1/pods',
          tally: { ok: 1, info: 0, warning: 1, error: 0, score: 50 },
          issues: {
            'shop/web': [
              {
                group: '__root__',
                gvr: 'v1/pods',
                level: 2,
                message: '[POP-106] No resources requests/limits defined',
              },
            ],
          },
        },
      ],
      clustername: 'popeye',
    },
  }
  const artifacts = {
    images: [{ fullRef: 'nginx:1.27.3', namespace: 'shop', workloadKind: 'Deployment', workloadName: 'web' }],
  }
  await upload(popeye, {
    cluster: { name: 'popeye' },
    artifacts,
    run: { started_at: '2026-08-20 10:00:00', finished_at: '2026-08-20 10:00:05' },
  })
  await upload({ ...popeye, later: true }, { cluster: { name: 'popeye' }, artifacts })
}

/** Compare, trends, freshness and findings of every run, with ids and upload times replaced by places. */
export async function answersFor(client: Client): Promise<string[]> {
  const { candidates } = await client.call('listBootstrapCandidates', {})
  const answers: unknown[] = []
  const ids: string[] = []
  for (const { cluster_name, environment } of candidates) {
    const place = { cluster_name: cluster_name!, environment: environment! }
    const { items } = await client.call('listReports', { query: { ...place, per_page: 100 } })
    ids.push(...items.map(({ run_id }) => run_id))
    answers.push(await client.call('reportTrends', { query: { ...place, window_days: 365, checks: true } }))
    for (const { run_id } of items) {
      const params = { run_id }
      answers.push(
        await client.call('compareReports', { query: { to_run_id: run_id } }).catch(({ code }) => code),
        await client.call('reportFreshness', { params, query: { explain: true } }),
        await client.call('listRunFindings', { params, query: { limit: 100 } }),
        Buffer.from(
          (await client.download('getReport', { params, query: { include_report: true } })).report!,
        ).toString(),
        await client.call('getReport', { params }),
      )
    }
  }
  return answers.map((answer) =>
    JSON.stringify(answer, inOrder)
      .replaceAll(/crun_[a-z2-7]{16}/g, (id) => `run ${ids.indexOf(id)}`)
      .replaceAll(/"ingested_at":"[^"]+"/g, '"ingested_at":"*"')
      // The copy of a run without a time states when it was uploaded.
      .replaceAll('"finished_at":"2026-09-01 12:00:00"', '"finished_at":null'),
  )
}

/** Each store hides fingerprints with its own key, and lists findings of one severity in the order of what it hides. */
function inOrder(_: string, value: unknown): unknown {
  const isList = Array.isArray(value) && typeof value[0]?.fingerprint === 'string'
  return isList ? value.toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1)) : value
}

export const reportAt = (time: string, message: string) =>
  Buffer.from(
    JSON.stringify(
      smallReport(time, 70, {
        SEC001: { severity: 'high', items: [{ Namespace: 'a', Resource: 'pod/a', Message: message }] },
      }),
    ),
  )
