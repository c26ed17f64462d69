import type { NewerTags } from '../../../collectors/oci/newer-tags.ts'
import type { ReceivedFreshness, ReceivedFreshnessItem } from '../../../contract/received/cluster-report.ts'
import { adviceText } from '../../../views/advice.ts'
import { countItems } from '../../../views/freshness-counts.ts'
import type { Cli } from '../../program/command.ts'
import { openLookupFile } from './lookup-file.ts'

/** Queries the registries of images that are not in the catalog, with this machine's credentials. */
export async function askRegistries({ context }: Cli, freshness: ReceivedFreshness): Promise<ReceivedFreshness> {
  const { env, now } = context
  const { createHttp } = await import('../../../collectors/http.ts')
  const { createDockerCredentials } = await import('../../../collectors/oci/docker-credentials.ts')
  const { findNewerTags } = await import('../../../collectors/oci/newer-tags.ts')
  const { Registries } = await import('../../../collectors/oci/registry.ts')
  const { bundledStateFacts } = await import('../../../catalog/state-facts.ts')
  const { StateFacts } = await import('../../../freshness/facts/state-facts.ts')
  const { certificatesFor } = await import('../../../config/certificates.ts')
  const { readCatalogSettings } = await import('../../../config/catalog.ts')
  const { signal } = new AbortController()
  const pace = { perHost: 4, patienceMs: 15_000, retryPausesMs: [500], maxWaitSeconds: 5 }
  const { access, registryMirrors } = readCatalogSettings(env)
  const http = createHttp({ env, access, ca: certificatesFor(env), now, signal, ...pace })
  const file = await openLookupFile(env, now())
  try {
    const registries = new Registries({ findCredential: createDockerCredentials(env), mirrors: registryMirrors }, http)
    const means = { registries, cache: file.cache, now, facts: new StateFacts(bundledStateFacts()) }
    const items = await Promise.all(
      freshness.items.map(async (item) =>
        item.artifact_type === 'image' &&
        item.status === 'unknown' &&
        !item.vendor_component &&
        item.artifact_key !== null
          ? withRegistry(item, await findNewerTags(item.artifact_key, means))
          : item,
      ),
    )
    return { ...freshness, summary: countItems(items), items }
  } finally {
    await file.save()
    await http.close()
  }
}

function withRegistry(item: ReceivedFreshnessItem, found: NewerTags): ReceivedFreshnessItem {
  if (found.kind !== 'found') return { ...item, reason: `${item.reason ?? ''} Its registry: ${found.reason}.` }
  const { status, current, isResolved, latest, steps, reasons, newer, confidence, evidence, mode } = found
  const which = isResolved ? `${item.current_version ?? 'the digest'} is now ${current}; ` : ''
  const recommendation = adviceText({
    name: item.display_name ?? undefined,
    hasVersion: true,
    status,
    mode,
    latest,
    newest: latest,
    steps,
    because: [],
    reasons: [...reasons, ...(item.facts ?? []).filter(({ state }) => state === 'retired')],
    support: item.eol ? { ...item.eol, name: item.eol.cycle } : undefined,
    catalogDate: 'its registry',
  })
  return {
    ...item,
    status,
    current_version: current,
    latest_version: latest,
    same_line_version: steps.line?.version ?? null,
    steps,
    states: (item.states ?? []).filter((state) => state !== 'above_known'),
    confidence: Math.round(confidence * 100) / 100,
    reason: `Its registry reports: ${which}${evidence}.`,
    recommendation: item.inherited_from_helm ? item.recommendation : recommendation,
    compare_mode: mode,
    releases_behind: newer.length,
  }
}
