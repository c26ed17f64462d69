import { expect, test } from 'vitest'
import type { Db } from '../../../src/db/open.ts'
import { openCatalogService } from '../service.ts'

const keda = { project_slug: 'keda', version: '2.18.3' }
const rancher = { project_slug: 'rancher', version: '2.14.4' }

test('parts are checked against another Kubernetes, each with the published range that decides', async () => {
  const { call } = await openCatalogService()
  const answer = await call('checkUpgrade', { body: { kubernetes: '1.33', to: '1.35', parts: [keda, rancher] } })
  expect(answer).toMatchObject({ verdict: 'ready', from: '1.33', to: '1.35', reasons: [] })
  expect(answer.parts).toMatchObject([
    { project_slug: 'keda', current_version: '2.18.3', needs: 'upgrade_before', to_version: '2.20.2' },
    { project_slug: 'rancher', needs: 'ok', to_version: null, evidence: [{ kind: 'supported', as_of: '2026-02-13' }] },
  ])
  expect(answer.hops.map(({ to, version }) => [to, version])).toEqual([
    ['1.34', '1.34.11'],
    ['1.35', '1.35.8'],
  ])
  expect(answer.steps).toMatchObject([{ number: 1, hop: '1.34', when: 'before', from: '2.18.3', to: '2.20.2' }])
})

test('an imported range of your own replaces the bundled one', async () => {
  const { call, db } = await openCatalogService()
  const { importFacts } = await import('.../../../src/operations/catalog/own-facts.ts')
  const row = { slug: 'rancher', line: '2.14', kind: 'required', kubernetes_max: '1.34', as_of: '2026-08-30' }
  const file = JSON.stringify({ compatibility: [{ ...row, source: 'https://wiki.example/rancher' }] })
  await importFacts(db, Buffer.from(file), 0)
  const { parts } = await call('checkUpgrade', { body: { kubernetes: '1.33', to: '1.35', parts: [rancher] } })
  expect(parts).toMatchObject([
    { needs: 'upgrade_before', evidence: [{ own: true, source: 'https://wiki.example/rancher' }, {}] },
  ])
})

test('a project is found by a name that people use, and one that the catalog lacks is said', async () => {
  const { call } = await openCatalogService()
  const parts = ['argocd', 'Keda', 'shop-thing'].map((project_slug) => ({ project_slug, version: '2.18.3' }))
  const answer = await call('checkUpgrade', { body: { kubernetes: '1.33', to: '1.35', parts } })
  expect(answer.parts.map(({ project_slug, evidence }) => [project_slug, evidence[0]?.says])).toEqual([
    ['argo-cd', expect.stringContaining('Argo CD 2.18.3')],
    ['keda', expect.stringContaining('KEDA 2.18 is tested with')],
    ['shop-thing', 'The catalog has no project shop-thing, so nothing is known of its ranges.'],
  ])
})

test('on the way down only the way blocks, and parts are held against the target', async () => {
  const { call } = await openCatalogService()
  const answer = await call('checkUpgrade', { body: { kubernetes: '1.36', to: '1.33', parts: [keda] } })
  expect(answer).toMatchObject({ verdict: 'blocked', hops: [], steps: [], parts: [{ needs: 'ok' }] })
  expect(answer.reasons.map(({ says }) => says)).toEqual(['There is no way from Kubernetes 1.36 down to 1.33.'])
})

/** Judged by hand from the ranges, as `project@version from to: needs to_version`. */
const questions = `
cert-manager@v1.16.2 1.31 1.33: upgrade_before v1.17.4
cert-manager@1.19.2 1.33 1.35: ok
istio@1.27.1 1.32 1.34: upgrade_before 1.28.10
karpenter@1.0.2 1.30 1.33: upgrade_before 1.5.8
cluster-autoscaler@1.33.0 1.33 1.35: unknown
kube-state-metrics@v2.15.0 1.33 1.34: upgrade_before v2.18.0
external-secrets@2.1.0 1.34 1.35: ok
kyverno@1.15.2 1.33 1.35: upgrade_before 1.17.2
kyverno@1.16.1 1.34 1.36: unknown
strimzi@0.47.0 1.33 1.35: ok
cloudnative-pg@1.26.1 1.33 1.34: upgrade_before 1.28.4
rook@1.16.5 1.32 1.34: upgrade_before 1.18.11
argo-cd@2.13.3 1.31 1.33: upgrade_before 3.1.16
flux@2.6.1 1.33 1.35: upgrade_before 2.8.8
eck@3.0.0 1.33 1.35: unknown
gpu-operator@25.3.0 1.33 1.35: upgrade_before 25.10.1
velero@1.17.0 1.34 1.35: ok
linkerd@2.18.0 1.33 1.35: upgrade_before 2.19
opentelemetry-operator@0.127.0 1.33 1.35: upgrade_before 0.142.0
kubevirt@1.5.0 1.33 1.35: upgrade_before 1.8.4
aws-vpc-cni@1.20.1 1.33 1.36: unknown
csi-external-snapshotter@8.2.0 1.33 1.35: unknown
contour@1.32.0 1.33 1.35: unknown
gatekeeper@3.19.1 1.33 1.35: unknown
kured@1.17.1 1.33 1.35: upgrade_before 1.21.0
cluster-api@1.10.4 1.33 1.35: upgrade_before 1.12.7
rancher@2.15.1 1.35 1.37: blocked
rancher@2.9.1 1.29 1.36: upgrade_before 2.11.16
strimzi@0.38.0 1.27 1.33: upgrade_before 0.45.2
strimzi@0.38.0 1.27 1.32: ok
strimzi@0.45.1 1.31 1.33: ok
nvidia-gpu-operator@24.9.2 1.31 1.34: upgrade_before 25.10.1
karpenter@1.3.3 1.32 1.33: upgrade_before 1.5.8
longhorn@1.6.2 1.31 1.33: unknown
vault@1.17.2 1.30 1.33: upgrade_before 1.20.4
vault-secrets-operator@0.8.1 1.30 1.33: upgrade_before 1.0.1
tigera-operator@1.32.0 1.28 1.33: unknown
nats@2.10.20 1.31 1.34: unknown
velero@1.15.2 1.32 1.34: ok
kong-ingress-controller@3.1.0 1.29 1.33: ok
`

test('parts of many kinds get the answers that their ranges give', async () => {
  const { call } = await openCatalogService()
  const asked = questions.trim().split('\n')
  const answered = await Promise.all(
    asked.map(async (question) => {
      const [part, kubernetes, to] = question.split(':')[0]!.split(' ') as [string, string, string]
      const [project_slug, version] = part.split('@') as [string, string]
      const { parts } = await call('checkUpgrade', { body: { kubernetes, to, parts: [{ project_slug, version }] } })
      const { needs, to_version } = parts[0]!
      return `${part} ${kubernetes} ${to}: ${[needs, to_version].filter(Boolean).join(' ')}`
    }),
  )
  expect(answered).toEqual(asked)
})

test('Helm refuses versions with a suffix by exact ranges, as far as it brought what runs', async () => {
  const { call, db } = await openCatalogService()
  await saySupported(db)
  const setRanges = async (range: string, charts: string) => {
    const { id } = await db.selectFrom('project').select('id').where('slug', '=', 'keda').executeTakeFirstOrThrow()
    await db
      .updateTable('release')
      .set({ kube_version: range })
      .where((eb) => eb.and({ project_id: id, type: 'helm' }))
      .where('version', 'like', charts)
      .execute()
  }
  const ask = async (kubernetes: string) => {
    const { verdict, parts, reasons } = await call('checkUpgrade', { body: { kubernetes, to: '1.34', parts: [keda] } })
    return [verdict, parts[0]!.needs, parts[0]!.to_version, ...reasons.map(({ says }) => says)]
  }
  const goes = ['ready', 'upgrade_before', '2.19.0']
  await setRanges('>=1.23.0', '%')
  // Helm itself would have refused what runs there, so something else brings the next one, too.
  for (const kubernetes of ['v1.33.10', 'v1.33.5+k3s1', 'v1.33.10-eks-ba2e9a1', 'v1.33.5-gke.1080000']) {
    expect(await ask(kubernetes)).toEqual(goes)
  }
  await setRanges('>=1.23.0-0', '2.18.%')
  expect(await ask('v1.33.10')).toEqual(goes)
  expect(await ask('v1.33.10-eks-ba2e9a1')).toEqual([
    ...['blocked', 'blocked', null],
    expect.stringMatching(/Helm refuses the chart keda 2\.\d+\.\d+ outside of Kubernetes >=1\.23\.0\. .* end in -eks…/),
  ])
  await setRanges('>=1.23.0-0', '2.19.%')
  expect(await ask('v1.33.10-eks-ba2e9a1')).toEqual(goes)
})

/** What KEDA calls tested, as a range that it supports: beyond it, a version cannot stay. */
async function saySupported(db: Db) {
  const { importFacts } = await import('../../../src/operations/catalog/own-facts.ts')
  const compatibility = ['2.18', '2.19'].map((line, index) => ({
    ...{ slug: 'keda', line, kind: 'supported', kubernetes_min: '1.31', kubernetes_max: `1.${33 + index}` },
    ...{ source: 'https://wiki.example/keda', as_of: '2026-08-20' },
  }))
  await importFacts(db, Buffer.from(JSON.stringify({ compatibility })), 0)
}

/** The newest known release refuses Kubernetes 1.36, whatever the bundled ranges say. */
async function openRefusing(projects: object[] = []) {
  const service = await openCatalogService()
  const { importFacts } = await import('../../../src/operations/catalog/own-facts.ts')
  const range = { slug: 'keda', line: '2.20', kind: 'supported', kubernetes_min: '1.33', kubernetes_max: '1.35' }
  const compatibility = [{ ...range, source: 'https://wiki.example/keda', as_of: '2026-08-20' }]
  await importFacts(service.db, Buffer.from(JSON.stringify({ projects, compatibility })), 0)
  const parts = [{ project_slug: 'keda', version: '2.20.2' }]
  const ask = () => service.call('checkUpgrade', { body: { kubernetes: '1.35', to: '1.36', parts } })
  return { ...service, ask }
}

test('facts that are old block no plan: a newer release may go with the wanted Kubernetes', async () => {
  const { ask, clock, db } = await openRefusing()
  const knownUntil = Date.UTC(2026, 7, 22) / 1000
  clock.now = knownUntil + 89 * 86_400
  expect(await ask()).toMatchObject({ verdict: 'blocked', catalog_date: '2026-08-22', parts: [{ needs: 'blocked' }] })
  clock.now = knownUntil + 91 * 86_400
  const {
    verdict,
    parts: [part],
    reasons,
  } = await ask()
  expect({ verdict, needs: part!.needs }).toEqual({ verdict: 'undetermined', needs: 'unknown' })
  expect(reasons.map(({ says }) => says)).toEqual([
    'KEDA 2.20 supports Kubernetes 1.33 to 1.35. No release of KEDA known until 2026-08-22 goes with Kubernetes 1.36; a newer one may: relt catalog sync, or relt catalog import FILE.',
  ])

  // A source answered, and has no newer release.
  const { id } = await db.selectFrom('project').select('id').where('slug', '=', 'keda').executeTakeFirstOrThrow()
  const source = { project_id: id, kind: 'github' as const, url: 'u', outcome: 'unchanged' as const }
  await db
    .insertInto('source')
    .values({ ...source, looked_at: clock.now, answered_at: clock.now })
    .execute()
  expect(await ask()).toMatchObject({ verdict: 'blocked', parts: [{ needs: 'blocked' }] })
})

test('whatever the day, a retired project without a version for the wanted Kubernetes blocks', async () => {
  const ended = {
    slug: 'keda',
    name: 'KEDA',
    state: 'retired',
    since: '2026-08-01',
    what: 'It ended.',
    source: 'https://wiki.example',
  }
  const { ask, clock } = await openRefusing([ended])
  clock.now = Date.UTC(2028, 0, 1) / 1000
  expect(await ask()).toMatchObject({ verdict: 'blocked', parts: [{ needs: 'blocked' }] })
})
