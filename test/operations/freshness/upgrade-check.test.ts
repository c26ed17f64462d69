import { expect, test } from 'vitest'
import { openCatalogService } from '../service.ts'

const keda = { project_slug: 'keda', version: '2.18.3' }
const rancher = { project_slug: 'rancher', version: '2.14.4' }

test('parts are checked against another Kubernetes, each with the published range that decides', async () => {
  const { call } = await openCatalogService()
  const answer = await call('checkUpgrade', { body: { kubernetes: '1.33', to: '1.35', parts: [keda, rancher] } })
  expect(answer).toMatchObject({ verdict: 'ready', from: '1.33', to: '1.35', reasons: [] })
  expect(answer.parts).toMatchObject([
    { project_slug: 'keda', current_version: '2.18.3', needs: 'upgrade_before', to_version: '2.20.2' },
    { project_slug: 'rancher', needs: 'ok', to_version: null, evidence: [{ kind: 'required', as_of: '2026-07-30' }] },
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
