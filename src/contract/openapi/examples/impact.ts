import type { Example } from '../../route.ts'
import type { impactRoutes } from '../../routes/impact.ts'
import { at, coverage, freshnessItem, release, runId } from './shared.ts'

const { version } = release

export const impactExamples: Record<keyof typeof impactRoutes, Example> = {
  getImpact: {
    query: { cve: 'CVE-2026-1234' },
    answer: {
      ...{ success: true, catalog_date: '2026-11-20', releases: [{ release_id: 901, product_id: 7, version }] },
      summary: { clusters_seen: 2, clusters: 1, namespaces: 1, workloads: 1, artifacts: 1 },
      coverage,
      items: [
        {
          ...{ artifact_type: 'image', artifact_key: freshnessItem.artifact_key },
          ...{ display_name: freshnessItem.display_name, workloads: ['argocd/Deployment/argocd-server'] },
          ...{ current_version: 'v3.5.1', inherited_from_helm: false, cluster_name: 'shop-prod', environment: 'prod' },
          ...{ run_id: runId, seen_at: at, product_id: 7, product_name: 'Argo CD', namespaces: ['argocd'] },
          ...{ release_id: 901, wanted_version: version, severity: 'high', has_security_fix: true },
          ...{ is_certain: true, confidence: 0.95 },
        },
      ],
    },
  },
}
