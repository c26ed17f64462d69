import type { PlanLimits } from '../../config/plans.ts'
import { type BootstrapCandidate, type ClusterConfig, Provider } from '../../contract/cluster-config.ts'
import { ScanSettings } from '../../contract/scan-settings.ts'
import type { Db } from '../../db/open.ts'
import type { Owner } from '../../store/accounts/owner.ts'
import { listClusters } from '../../store/runs/cluster.ts'
import { insertConfig, listConfiguredClusters } from '../../store/runs/cluster-config.ts'
import { findLatestRun } from '../../store/runs/latest-run.ts'
import { getPart } from '../../store/runs/part.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { isObject, JsonReader } from '../../util/json.ts'
import { unpack } from '../../util/pack.ts'
import { formatTimestamp, type UnixSeconds } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'
import { newConfig, requireRoomForConfig, sealConfig } from './cluster-config.ts'
import { openContext } from './context.ts'

/** One candidate for each cluster and environment with reports. */
export async function findBootstrapCandidates(db: Db, ownerId: number): Promise<BootstrapCandidate[]> {
  const configured = await listConfiguredClusters(db, ownerId)
  return (await latestRuns(db, ownerId)).map(({ run, at }) => ({
    cluster_name: run.cluster_name,
    environment: run.environment,
    provider: providerFor(run.provider),
    suggested_name: suggestedName(run),
    last_run_id: run.run_id,
    last_seen_at: formatTimestamp(at),
    already_configured: configured.has(run.cluster_name),
  }))
}

/**
 * Call inside a transaction: creates a profile for each wanted cluster that has reports but no profile; for all clusters
 * without `clusterNames`.
 */
export async function bootstrapConfigs(
  trx: Db,
  wanted: { clusterNames: string[] | undefined; environment: string | undefined },
  { owner, limits, vault, now }: { owner: Owner; limits: PlanLimits; vault: Vault; now: UnixSeconds },
) {
  const configured = await listConfiguredClusters(trx, owner.id)
  const runs = (await latestRuns(trx, owner.id)).filter(
    ({ run }) => wanted.environment === undefined || run.environment === wanted.environment,
  )
  const created: ClusterConfig[] = []
  const skipped: { cluster_name: string; reason: string }[] = []
  const names = new Set(wanted.clusterNames ?? runs.map(({ run }) => run.cluster_name))
  for (const name of names) {
    const latest = runs.find(({ run }) => run.cluster_name === name)
    if (!latest || configured.has(name)) {
      skipped.push({ cluster_name: name, reason: latest ? 'has a profile already' : 'has no reports' })
      continue
    }
    const config = await draftConfig(trx, vault, latest, now)
    await requireRoomForConfig(trx, owner, limits)
    await insertConfig(trx, owner.id, sealConfig(vault, config))
    created.push(config)
  }
  return { created, skipped }
}

/** A profile with the scope of the last scan. Uploading stays disabled, because it was not requested. */
async function draftConfig(db: Db, vault: Vault, { id, run }: StoredRun, now: number): Promise<ClusterConfig> {
  const { scope } = await openContext(db, vault, id, run.run_id)
  const { aks, excludedChecks } = await readScanOrigin(db, vault, id, run.run_id)
  const unreported = new Set(scope.unreportedNamespaces)
  const excluded = scope.excludedNamespaces.filter((namespace) => !unreported.has(namespace))
  const settings = {
    ...(aks && { aks }),
    output: { htmlReport: true, jsonReport: true, excludeNamespaces: excluded.length > 0, yes: true },
    excluded_namespaces: excluded,
    excluded_checks: excludedChecks,
    radar: { environment: run.environment },
  }
  return newConfig(
    {
      name: suggestedName(run),
      cluster_name: run.cluster_name,
      provider: aks ? 'aks' : providerFor(run.provider),
      notes: '',
      // Reports are untrusted: drops settings that a profile may not have.
      settings: Object.fromEntries(
        Object.entries(settings).filter(([key, value]) => ScanSettings.safeParse({ [key]: value }).success),
      ),
    },
    now,
  )
}

function suggestedName({ cluster_name, environment }: StoredRun['run']): string {
  return environment === 'prod' ? cluster_name : `${cluster_name} (${environment})`
}

async function latestRuns(db: Db, ownerId: number): Promise<StoredRun[]> {
  const runs: StoredRun[] = []
  for (const cluster of await listClusters(db, { ownerId })) {
    const run = await findLatestRun(db, cluster.id)
    if (run) runs.push(run)
  }
  return runs
}

function providerFor(provider: string | null): Provider {
  const known = Provider.safeParse(provider?.toLowerCase())
  return known.success ? known.data : 'kubernetes'
}

/** How the scan of a stored report was started, if the report says so. */
async function readScanOrigin(db: Db, vault: Vault, runRowId: number, runId: string) {
  const { aks, excludedChecks } = readMetadata(unpack(vault.open(runId, await getPart(db, runRowId, 'report'))))
  return { aks: toAks(aks), excludedChecks: strings(excludedChecks) }
}

/** The report was validated when it was uploaded. */
function readMetadata(report: Uint8Array): Record<string, unknown> {
  const reader = new JsonReader(report, 'The report')
  for (const key of reader.members()) {
    if (key !== 'metadata') {
      reader.skip()
      continue
    }
    const metadata = reader.value()
    return isObject(metadata) ? metadata : {}
  }
  return {}
}

/** All three fields or none: a scan of AKS needs them together. */
function toAks(aks: unknown) {
  if (!isObject(aks)) return undefined
  const [subscriptionId, resourceGroup, clusterName] = strings([aks.subscriptionId, aks.resourceGroup, aks.clusterName])
  if (!subscriptionId || !resourceGroup || !clusterName) return undefined
  return { subscriptionId, resourceGroup, clusterName }
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string' && each !== '') : []
}
