import type { Db } from '../../db/open.ts'
import { getPart } from '../../store/runs/part.ts'
import { isObject, JsonReader } from '../../util/json.ts'
import { unpack } from '../../util/pack.ts'
import type { Vault } from '../keys/vault.ts'

/** How the scan of a stored report was started, if the report says so. */
export interface ScanOrigin {
  aks: { subscriptionId: string; resourceGroup: string; clusterName: string } | undefined
  excludedChecks: string[]
}

export async function readScanOrigin(db: Db, vault: Vault, runRowId: number, runId: string): Promise<ScanOrigin> {
  const report = unpack(vault.open(runId, await getPart(db, runRowId, 'report')))
  const { aks, excludedChecks } = toMetadata(report)
  return { aks: toAks(aks), excludedChecks: strings(excludedChecks) }
}

/** The report was validated when it was uploaded. */
function toMetadata(report: Uint8Array): Record<string, unknown> {
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
function toAks(aks: unknown): ScanOrigin['aks'] {
  if (!isObject(aks)) return undefined
  const [subscriptionId, resourceGroup, clusterName] = strings([aks.subscriptionId, aks.resourceGroup, aks.clusterName])
  if (!subscriptionId || !resourceGroup || !clusterName) return undefined
  return { subscriptionId, resourceGroup, clusterName }
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string' && each !== '') : []
}
