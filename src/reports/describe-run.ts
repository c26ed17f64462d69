import type * as z from 'zod/mini'
import type { ReportEnvelope } from '../contract/cluster-report.ts'
import { insteadOf, missingParams } from '../errors.ts'
import { trimJson } from '../util/json.ts'
import type { Artifacts, ImageArtifact } from './artifact.ts'
import { countArtifacts, readOwners, withInventory } from './artifacts.ts'
import { readScan } from './formats/index.ts'
import { findFault } from './known-faults.ts'
import { isEmpty, refuseEmpty } from './refuse-empty-report.ts'
import type { RunRecord, ScanRecord } from './run-record.ts'
import type { Scan } from './scan.ts'
import { withStated } from './stated-look.ts'

type Envelope = z.output<typeof ReportEnvelope>

/**
 * Parses an upload as the server does. `report` is JSON text, `now` unix seconds. Throws `invalid_json`, or `invalid_param` for
 * a report that is not accepted or if nothing names the cluster.
 */
export async function readUpload(
  report: Uint8Array,
  envelope: Envelope,
  now: number,
): Promise<{ scan: Scan; run: RunRecord }> {
  const trimmed = trimJson(report)
  const { subject, looked_at } = envelope
  const read = withStated(await readAny(trimmed, envelope), {
    subject: subject ?? undefined,
    lookedAt: looked_at ?? undefined,
  })
  const artifacts = withInventory(read.artifacts, envelope.artifacts)
  const provider = toProvider(envelope.cluster?.provider, artifacts)
  const scan = withScoreOfMost({ ...read, artifacts: { ...artifacts, ...(provider !== undefined && { provider }) } })
  return { scan, run: describeRun(scan, envelope, { now, size_bytes: trimmed.length }) }
}

/** Scanners count checks that did not run as passed: a score of which most is unread says nothing. */
function withScoreOfMost(scan: Scan): Scan {
  const { score, totalChecks, warnings = [], checksNotRun } = scan
  const unread = checksNotRun.filter((check) => findFault(check) === undefined).length
  if (score === undefined || unread * 2 <= totalChecks) return scan
  const said = `Left out: the score ${score.value}, because ${unread} of ${totalChecks} checks did not run.`
  return { ...scan, score: undefined, warnings: score.source === 'scanner' ? [...warnings, said] : warnings }
}

/** A report of a named scanner must be one. Without a name, any object is a report. */
async function readAny(bytes: Uint8Array, { format, artifacts }: Envelope): Promise<Scan> {
  const owners = readOwners(artifacts)
  if (format) {
    const scan = await readScan(bytes, format, owners)
    refuseEmpty(scan)
    return scan
  }
  const scan = await readScan(bytes, undefined, owners).catch(insteadOf('invalid_param', undefined))
  // An empty report can still list what runs.
  const shows =
    scan && (!isEmpty(scan) || scan.artifacts.images.length > 0 || scan.artifacts.kubernetesVersion !== null)
  return shows ? scan : readScan(bytes, 'unknown')
}

/** The record of a new run. Throws `invalid_param` without a cluster name. */
function describeRun(
  scan: Scan,
  envelope: Envelope,
  { now, size_bytes }: { now: number; size_bytes: number },
): RunRecord {
  const { cluster, run } = envelope
  const cluster_name = cluster?.name ?? nameInReport(scan)
  if (cluster_name === undefined) throw missingParams({ 'cluster.name': 'is needed: the report names no cluster' })
  const started_at = run?.started_at ?? null
  const finished_at = run?.finished_at ?? scan.generatedAt ?? null
  const isMeasured = started_at !== null && finished_at !== null && finished_at >= started_at
  const ci = Object.entries(envelope.ci ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return {
    cluster_name,
    environment: envelope.environment ?? 'prod',
    provider: scan.artifacts.provider ?? null,
    region: cluster?.region ?? null,
    source: envelope.source ?? null,
    source_version: envelope.source_version ?? null,
    ...describeScan(scan),
    started_at,
    finished_at,
    duration_seconds: run?.duration_seconds ?? (isMeasured ? finished_at - started_at : null),
    ingested_at: now,
    size_bytes,
    ci: ci.length > 0 ? Object.fromEntries(ci) : null,
  }
}

/** The upload's provider. If that is plain Kubernetes, most nodes, or else images, may name a more specific one. */
function toProvider(named: string | null | undefined, { nodes = [], images }: Artifacts): string | undefined {
  if (named && named !== 'kubernetes') return named
  const ofNodes = Map.groupBy(nodes, ({ offering }) => offering)
  const [ofMost, another] = [...ofNodes].flatMap(([offering, { length }]) =>
    length * 2 < nodes.length ? [] : (offering ?? []),
  )
  const [ofImages, ...others] = new Set(images.flatMap((one) => runnerOf(one) ?? []))
  const isSilent = nodes.every(({ offering }) => offering === undefined)
  if (ofMost !== undefined && another === undefined) return ofMost
  return (isSilent && others.length === 0 ? ofImages : undefined) ?? named ?? undefined
}

/** Images that identify an offering, in its own namespaces, if its Kubernetes versions do not name it. */
const ownImages: readonly [offering: string, image: RegExp, namespace: RegExp][] = [
  ['aks', /^mcr\.(?:microsoft\.com|azk8s\.cn)\/aks\//, /^kube-system$/],
  ['openshift', /^quay\.io\/openshift-release-dev\/ocp-/, /^openshift-/],
]

const runnerOf = ({ reference, namespace }: ImageArtifact): string | undefined =>
  ownImages.find(([, image, own]) => image.test(reference) && own.test(namespace ?? ''))?.[0]

function describeScan(scan: Scan): ScanRecord {
  const { findings, artifacts, index } = scan
  return {
    kubernetes_version: artifacts.kubernetesVersion,
    score: scan.score?.value ?? null,
    score_source: scan.score?.source ?? null,
    format: scan.format,
    total_checks: scan.totalChecks,
    failed_checks: scan.failedChecks,
    not_run_checks: scan.checksNotRun.length,
    is_empty: isEmpty(scan),
    vulnerability_scan: scan.vulnerabilityScan === true,
    findings,
    suppressed_findings: index.suppressed.reduce((sum, { count }) => sum + count, 0),
    artifacts: countArtifacts(artifacts),
  }
}

/** The cluster name of a report, in the form that requests accept. */
function nameInReport({ clusterName = '' }: Scan): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
  const line = clusterName.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').normalize('NFC')
  return line.trim().slice(0, 253).toWellFormed().trim() || undefined
}
