import type { FreshnessItem } from '../../src/contract/freshness.ts'
import type { Step } from '../../src/contract/step.ts'
import { assessArtifacts, type CatalogFacts, prepareCatalog, toItems } from '../../src/freshness/index.ts'
import type { Artifacts } from '../../src/reports/artifact.ts'
import { bundledView } from './bundled-view.ts'

/** The day on which the facts were gathered. */
export const today = Date.parse('2026-11-23') / 1000

let bundled: CatalogFacts | undefined

/** The bundled catalog with its advisories and facts. */
function bundledFacts(): CatalogFacts {
  bundled ??= prepareCatalog(bundledView(new Map(), { advisories: true, knownUntil: '2026-11-23' }), today)
  return bundled
}

/** An image, `chart NAME VERSION`, `app NAME VERSION` or `kubernetes VERSION`, alone in a cluster. */
export function ask(what: string, known = bundledFacts()): FreshnessItem {
  const [item] = toItems(assessArtifacts(artifactsFor(what), known), known, false)
  return item!
}

function artifactsFor(what: string): Artifacts {
  const nothing = { images: [], charts: [], apps: [], kubernetesVersion: null, imageSource: 'artifacts' as const }
  const [kind, name = '', version = ''] = what.split(' ')
  const place = { namespace: 'a', workload: 'deployment/w' }
  if (kind === 'chart')
    return { ...nothing, charts: [{ name, version, release: null, namespace: 'a', workload: null }] }
  if (kind === 'app') return { ...nothing, apps: [{ name, version, namespace: 'a' }] }
  if (kind === 'kubernetes') return { ...nothing, kubernetesVersion: name }
  return { ...nothing, images: [{ ...place, reference: what, helmChart: null, helmRelease: null }] }
}

/** `v1.32.13, v1.33.13`, with the stops on the way; `-` for none. */
export const way = (step: Step | null | undefined): string => (step ? [...step.via, step.version].join(', ') : '-')

/** The versions of urgent, line, next and newest. */
export const toWays = ({ steps }: FreshnessItem): string[] =>
  [steps!.urgent, steps!.line, steps!.next, steps!.newest].map(way)
