/**
 * Stores of many clusters, written by the store's own code instead of uploads: `generateFleet` makes one in the cache folder
 * unless it is there. Every run has all its findings, in records, sealed details and history. Of the report itself, which no
 * command of the fleet reads, only a stub is sealed.
 *
 * Clusters share eight reports. The runs of a cluster have the same findings but for the latest, in which a fiftieth of the
 * workloads changed.
 */

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applicationId } from '../../src/db/application-id.ts'
import { newestSchema } from '../../src/db/migrations.ts'
import type { Vault } from '../../src/operations/keys/vault.ts'
import { contextFor } from '../../src/operations/runs/context.ts'
import { sealParts, storedRecords } from '../../src/operations/runs/ingest.ts'
import { hashSubjects } from '../../src/operations/runs/subjects.ts'
import { readUpload } from '../../src/reports/describe-run.ts'
import { countRanks } from '../../src/reports/finding-records.ts'
import type { RunRecord } from '../../src/reports/run-record.ts'
import type { Scan } from '../../src/reports/scan.ts'
import { openService } from '../../src/service/service.ts'
import { findOwner } from '../../src/store/accounts/owner.ts'
import { getLocalUser } from '../../src/store/accounts/user.ts'
import { lockOrAddCluster } from '../../src/store/runs/cluster.ts'
import { rememberFindings } from '../../src/store/runs/finding-history.ts'
import { insertParts } from '../../src/store/runs/part.ts'
import { insertFindingRecords } from '../../src/store/runs/records.ts'
import { insertRun } from '../../src/store/runs/run.ts'
import { joinSeries } from '../../src/store/runs/series.ts'
import { pack } from '../../src/util/pack.ts'
import { generateReport } from '../generate-report.ts'

export interface FleetSize {
  clusters: number
  runs: number
  /** Between two runs of a cluster; a day without. */
  everyHours?: number
  /** Different findings of each run; its report has twice as many rows. */
  findings: number
}

export interface Fleet {
  /** `RELT_HOME`. */
  home: string
  /** Unix seconds: shortly after the latest run. */
  now: number
}

const variants = 8
/** Two pods of a workload have the same finding. */
const rowsPerFinding = 2
const hoursOfDay = 24
const hourSeconds = 3600

/** Written anew when the schema or this number changes. */
const format = 1

const cache = process.env.RELT_BENCH_CACHE || join(tmpdir(), 'relt-bench-fleet')

export async function generateFleet(size: FleetSize): Promise<Fleet> {
  const { clusters, runs, findings, everyHours = hoursOfDay } = size
  const often = everyHours === hoursOfDay ? '' : `-every${everyHours}h`
  const name = `${clusters}x${runs}x${findings}${often}-schema${newestSchema()}-${applicationId.toString(16)}-${format}`
  const home = join(cache, name)
  const done = join(home, 'fleet.json')
  if (existsSync(done)) return { home, now: JSON.parse(readFileSync(done, 'utf8')).now }
  const draft = `${home}.draft-${process.pid}`
  rmSync(home, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  const now = Math.floor(Date.now() / 1000)
  process.stderr.write(`Generating ${clusters} clusters × ${runs} runs × ${findings} findings in ${cache} …\n`)
  try {
    await fill(draft, { clusters, runs, findings, everyHours }, now)
    writeFileSync(join(draft, 'fleet.json'), JSON.stringify({ ...size, now }))
    renameSync(draft, home)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
  return { home, now }
}

async function fill(
  home: string,
  { clusters, runs, findings, everyHours }: Required<FleetSize>,
  now: number,
): Promise<void> {
  const env = { RELT_HOME: home, RELT_KEYCHAIN: 'off' }
  const { db, vault: open } = await openService({ env, now: () => now, folder: home })
  const vault = await open()
  const owner = await findOwner(db, (await getLocalUser(db, now)).id)
  const usual = await Promise.all(range(variants).map((seed) => prepare(vault, { findings, seed, changed: 0 })))
  const latest = await Promise.all(range(variants).map((seed) => prepare(vault, { findings, seed, changed: 0.02 })))
  for (let number = 0; number < clusters; number++) {
    const name = `cluster-${String(number).padStart(4, '0')}`
    const environment = number % 4 === 0 ? 'staging' : 'prod'
    await db.transaction().execute(async (trx) => {
      const clusterId = await lockOrAddCluster(trx, { ownerId: owner!.id, name, environment })
      for (let run = 0; run < runs; run++) {
        const isLatest = run === runs - 1
        const at = now - hourSeconds - (runs - 1 - run) * everyHours * hourSeconds
        const prepared = (isLatest ? latest : usual)[number % variants]!
        const id = await store(trx, vault, { prepared, clusterId, at, name, environment })
        // Between the first and the latest run nothing is seen for the first time.
        if (run === 0 || isLatest) await rememberFindings(trx, { id, clusterId, at }, prepared.records)
      }
    })
    if (number % 100 === 99) process.stderr.write(`  ${number + 1} clusters\n`)
  }
  await db.destroy()
}

interface Prepared {
  scan: Scan
  record: RunRecord
  records: Buffer
}

async function prepare(
  vault: Vault,
  { findings, seed, changed }: { findings: number; seed: number; changed: number },
): Promise<Prepared> {
  const report = {
    ...generateReport({ findings: rowsPerFinding * findings, seed: seed + 1, changed }),
    artifacts: inventory(seed),
  }
  const { scan, run } = await readUpload(Buffer.from(JSON.stringify(report)), {}, 0)
  return { scan, record: run, records: storedRecords(vault, scan.index) }
}

interface Place {
  prepared: Prepared
  clusterId: number
  /** Unix seconds. */
  at: number
  name: string
  environment: string
}

async function store(
  trx: Parameters<typeof insertRun>[0],
  vault: Vault,
  { prepared: { scan, record, records }, clusterId, at, name, environment }: Place,
): Promise<number> {
  const run_id = `crun_${randomBytes(8).toString('hex')}`
  const id = await insertRun(trx, {
    run_id,
    cluster_id: clusterId,
    series_id: await joinSeries(
      trx,
      { clusterId, format: record.format, kind: 'cluster' },
      hashSubjects(vault, record.format, scan.subjects),
    ),
    at,
    record: { ...record, cluster_name: name, environment, finished_at: at, ingested_at: at },
    content_hash: randomBytes(32),
    idempotency_key: null,
    distinct_findings: JSON.stringify(countRanks(records)),
    scope_gaps: 0,
    gaps_key: '',
  })
  const { guidance, imageAdvisories: advisories } = scan
  const { details } = scan.index
  await insertParts(
    trx,
    id,
    sealParts(vault, run_id, { report: stub, details, context: contextFor(scan), guidance, advisories, records }),
  )
  await insertFindingRecords(trx, id, records)
  return id
}

const stub = pack('{"metadata":{"clusterName":"generated"},"checks":{}}')

/** Forty images and some charts; the versions of Argo CD and others differ between the variants. */
function inventory(variant: number) {
  const images = range(40).map((number) => ({
    fullRef: toReference(number, variant),
    namespace: `team-${number % 12}-production`,
    workloadKind: 'Deployment',
    workloadName: `app-${number}`,
  }))
  return {
    images,
    helmCharts: [{ name: 'argo-cd', version: `7.${variant}.0`, namespace: 'argocd', releaseName: 'argocd' }],
  }
}

function toReference(number: number, variant: number): string {
  const known = [
    `quay.io/argoproj/argocd:v2.${10 + variant}.1`,
    `docker.io/library/nginx:1.${20 + variant}.0`,
    `quay.io/jetstack/cert-manager-controller:v1.${10 + variant}.2`,
    `quay.io/prometheus/prometheus:v2.${45 + variant}.0`,
  ]
  return known[number] ?? `registry.example/team-${number % 12}/service-${number}:${variant}.${number}.0`
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

if (import.meta.filename === process.argv[1]) {
  const [clusters = 1000, runs = 30, findings = 5000] = process.argv.slice(2).map(Number)
  process.stdout.write(`${(await generateFleet({ clusters, runs, findings })).home}\n`)
}
