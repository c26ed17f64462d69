import { expect } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { createLocalClient } from '../../src/client/local.ts'
import { testNow } from './cli.ts'
import { distinctFindings, distinctReport, emptyReport } from './distinct-report.ts'

/** Opens the store that uploaders worked on and proves every run that was not `checked` yet whole. Answers with all run ids. */
export async function checkStore(home: string, checked = new Set<string>()): Promise<Set<string>> {
  const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => testNow })
  try {
    const upload = { body: {}, report: Buffer.from(JSON.stringify(emptyReport)) }
    const { run_id: empty } = await client.call('uploadReport', upload)
    const ids = await listAll(client)
    for (const id of ids) if (id !== empty && !checked.has(id)) await checkRun(client, id, empty)
    const trends = await client.call('reportTrends', { query: { window_days: 365 } })
    expect(trends).toMatchObject({ points: { length: ids.length } })
    return new Set(ids.filter((id) => id !== empty))
  } finally {
    await client.close()
  }
}

/** The report as uploaded, every finding with its details, and what runs there. */
async function checkRun(client: Client, run_id: string, empty: string): Promise<void> {
  const run = await client.call('getReport', { params: { run_id }, query: { include_report: true } })
  const { number } = (run.report as { metadata: { number: number } }).metadata
  expect(run.report).toEqual(distinctReport(number))
  expect(run.findings?.total).toBe(distinctFindings)
  const compared = await client.call('compareReports', { query: { from_run_id: empty, to_run_id: run_id } })
  const findings = [...compared.new_findings, ...compared.regressed_findings]
  expect(findings).toHaveLength(distinctFindings)
  for (const { resource, message } of findings) {
    if (!resource?.startsWith('deployment/') || !message?.startsWith('Container app')) {
      expect.fail(`${run_id} has a finding without its details`)
    }
  }
  const freshness = await client.call('reportFreshness', { params: { run_id } })
  expect(freshness.items).toHaveLength(1)
}

async function listAll(client: Client): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const { items, total_pages } = await client.call('listReports', { query: { page, per_page: 100 } })
    ids.push(...items.map((run) => run.run_id))
    if (page >= total_pages!) return ids
  }
}
