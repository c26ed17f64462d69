import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  assessArtifacts,
  CoverageCount,
  createJudge,
  type ExposureQuestion,
  exposureFor,
  fixedBy,
  prepareCatalog,
  toFound,
} from '../../src/freshness/index.ts'
import { argoCd, catalogFor, grafana, kubernetes, nginx, now } from './catalog.ts'

const advisory = (id: string, introduced: string, fixed: string | null) => ({
  id,
  aliases: [],
  severity: 'high' as const,
  score: 7.5,
  publishedAt: 1,
  ranges: [{ introduced, fixed, last_affected: null }],
})
const catalog = catalogFor(
  { ...nginx, advisories: [advisory('CVE-2026-1', '0', '1.29.0'), advisory('CVE-2026-2', '1.27.0', null)] },
  { ...argoCd, advisories: [] },
  { ...grafana, advisories: [advisory('CVE-2026-3', '0', '12.0.0')] },
  kubernetes,
)
const questions: ExposureQuestion[] = [
  { kind: 'security' },
  { kind: 'advisories', ids: new Set(['CVE-2026-1', 'CVE-2026-3']), fixes: new Set([1, 2, 3]) },
  ...[1, 2, 5, 9].map((id): ExposureQuestion => ({ kind: 'release', id })),
]

const place = { namespace: 'shop', workload: 'deployment/web', helmChart: null, helmRelease: null }
const name = fc.constantFrom(
  'nginx',
  'bitnami/nginx',
  'corp.io/nginx',
  'quay.io/argoproj/argocd',
  'grafana/grafana',
  'own',
)
const tag = fc.constantFrom('', ':latest', ':1.27.3', ':1.27', ':1', ':v2.10.1', ':11.0.0', ':1.28.0-alpine', ':x')
const artifacts = fc.record({
  images: fc.array(
    fc.tuple(name, tag, fc.constantFrom('a', 'b')).map(([name, tag, namespace]) => {
      return { ...place, reference: name + tag, namespace, helmChart: tag === ':1' ? 'argo-cd' : null }
    }),
    { maxLength: 6 },
  ),
  charts: fc.subarray([
    { name: 'argo-cd', version: '7.0.0', release: 'argo', namespace: 'a', workload: null },
    { name: 'grafana', version: '8.0.0', release: null, namespace: 'b', workload: null },
  ]),
  apps: fc.subarray([{ name: 'nginx', version: '1.27.3', namespace: null }]),
  kubernetesVersion: fc.constantFrom(null, 'v1.33.6'),
  imageSource: fc.constant('artifacts' as const),
})

test('artifacts that were stored answer every question as before', () => {
  fc.assert(
    fc.property(artifacts, (artifacts) => {
      const known = prepareCatalog(catalog, now)
      const judge = createJudge(prepareCatalog(catalog, now))
      const assessed = assessArtifacts(artifacts, known)
      for (const [position, one] of assessed.entries()) {
        const found = toFound(one, position)
        expect(found === undefined).toBe(one.match.project === undefined)
        if (!found) continue
        const restored = judge(JSON.parse(JSON.stringify(found)), one.match.project!)
        for (const question of questions) expect(exposureFor(restored, question)).toEqual(exposureFor(one, question))
        for (const release of one.verdict.newer) expect(fixedBy(restored, release)).toEqual(fixedBy(one, release))
        const { type, key, name, currentVersion, isInherited, catalogDate } = one
        expect(restored).toMatchObject({ type, key, name, currentVersion, isInherited, catalogDate })
        expect(restored.verdict.status).toBe(one.verdict.status)
        expect(restored.match.confidence).toBe(one.match.confidence)
      }
      const counted = new CoverageCount().add(assessed)
      const merged = new CoverageCount().merge(JSON.parse(JSON.stringify(counted.state())))
      expect(merged.result()).toEqual(counted.result())
    }),
  )
})
