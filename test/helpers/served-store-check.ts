import { join } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { openMasterKeys } from '../../src/config/secrets.ts'
import { type Db, openDatabase } from '../../src/db/open.ts'
import { openVault } from '../../src/operations/keys/vault.ts'
import { storedContentHash } from '../../src/operations/runs/ingest.ts'
import { recordLength } from '../../src/reports/finding-records.ts'
import { fingerprintLength } from '../../src/reports/fingerprint.ts'
import { invoke } from '../../src/service/invoke.ts'
import { openService } from '../../src/service/service.ts'
import { getUser } from '../../src/store/accounts/user.ts'
import { parseTexts } from '../../src/util/json-text.ts'
import { distinctReport } from './distinct-report.ts'

/** A distinct report as it was answered. */
export interface Sent {
  login: string
  number: number
  runId: string
  /** SHA-256 of what was sent, hex. */
  contentHash: string
}

/** Proves that the store of a server has exactly what was sent, each once, whole, and of whom it came. */
export async function checkServedStore(home: string, sent: Sent[], findings: number): Promise<void> {
  const db = await openDatabase(join(home, 'relt.db'))
  try {
    expect((await sql`pragma integrity_check`.execute(db)).rows).toEqual([{ integrity_check: 'ok' }])
    expect((await sql`pragma foreign_key_check`.execute(db)).rows).toEqual([])
    const vault = await openVault(db, openMasterKeys({ RELT_KEYCHAIN: 'off' }, home), { now: 0 })
    const toHash = (content: string) => storedContentHash(vault, Buffer.from(content, 'hex')).toString('hex')
    expect(await storedRuns(db)).toEqual(
      sent.map(({ login, runId, contentHash }) => `${runId} ${login} ${toHash(contentHash)}`).sort(),
    )
    expect(await auditedRuns(db)).toEqual(new Set(sent.map(({ login, runId }) => `${runId} ${login}`)))
    await checkHistory(db, findings)
  } finally {
    await db.destroy()
  }
  await checkReports(home, sent, findings)
}

async function storedRuns(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('run')
    .innerJoin('cluster', 'cluster.id', 'run.cluster_id')
    .innerJoin('owner', 'owner.id', 'cluster.owner_id')
    .innerJoin('user', 'user.id', 'owner.user_id')
    .select(['run_id', 'login', 'content_hash'])
    .execute()
  return rows.map((row) => `${row.run_id} ${row.login} ${Buffer.from(row.content_hash).toString('hex')}`).sort()
}

async function auditedRuns(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('audit').select(['subject', 'login']).where('action', '=', 'report.upload').execute()
  return new Set(rows.map(({ subject, login }) => `${subject} ${login}`))
}

/** The history is what the records of the runs say: for each finding of a cluster the first run that had it. */
async function checkHistory(db: Db, findings: number): Promise<void> {
  const runs = await db
    .selectFrom('run')
    .innerJoin('run_finding', 'run_finding.run_id', 'run.id')
    .select(['run.id', 'run.at', 'cluster_id', 'records'])
    .orderBy('run.at')
    .orderBy('run.id')
    .execute()
  const expected = new Map<string, string>()
  for (const { id, at, cluster_id, records } of runs) {
    expect(records).toHaveLength(findings * recordLength)
    for (let start = 0; start < records.length; start += recordLength) {
      const fingerprint = Buffer.from(records.subarray(start, start + fingerprintLength)).toString('hex')
      const finding = `${cluster_id} ${fingerprint}`
      if (!expected.has(finding)) expected.set(finding, `${at} ${id}`)
    }
  }
  const history = await db.selectFrom('finding_history').selectAll().execute()
  const stored = history.map(
    (row) =>
      [
        `${row.cluster_id} ${Buffer.from(row.fingerprint).toString('hex')}`,
        `${row.first_at} ${row.first_run_id}`,
      ] as const,
  )
  expect(new Map(stored)).toEqual(expected)
}

/** Every report opens, and is what its user sent. */
async function checkReports(home: string, sent: Sent[], findings: number): Promise<void> {
  const service = await openService({
    env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' },
    now: () => Math.floor(Date.now() / 1000),
  })
  try {
    for (const { login, number, runId } of sent) {
      const user = await getUser(service.db, login)
      const request = { params: { run_id: runId }, query: { include_report: true }, user }
      const run = parseTexts(await invoke(service, 'getReport', request))
      expect(run.findings.total).toBe(findings)
      expect(run.report).toEqual(distinctReport(number, findings))
    }
  } finally {
    await service.db.destroy()
  }
}
