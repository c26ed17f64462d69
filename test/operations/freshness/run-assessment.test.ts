import { expect, test } from 'vitest'
import { unpack } from '../../../src/util/pack.ts'
import { scan } from '../../reports/scan.ts'
import { openService, type TestService } from '../service.ts'

const image = (fullRef: string) => ({ fullRef, namespace: 'shop', workloadKind: 'Deployment', workloadName: 'web' })
const toParts = ({ db }: TestService) =>
  db.selectFrom('run_part').selectAll().where('kind', '=', 'assessment').orderBy('run_id').execute()

/** As where sources were asked and know of no advisory. */
async function forgetSecurity({ db }: TestService): Promise<void> {
  await db.updateTable('release').set({ has_security_fix: 0 }).execute()
  for (const table of ['affected_range', 'catalog_advisory'] as const) await db.deleteFrom(table).execute()
}

test('what the catalog says of a run is stored sealed and used until the catalog changes', async () => {
  const service = await openService()
  const images = ['nginx:1.27.3', 'prom/prometheus:v2.45.0', 'registry.example/own:1.0.0'].map(image)
  for (const cluster of ['blue', 'green']) {
    await service.upload([], { report: { ...scan([], { cluster }), artifacts: { images } } })
  }
  const ask = () => service.call('getImpact', { query: {} })
  const first = await ask()
  expect(first.summary).toMatchObject({ clusters_seen: 2 })
  expect(first.items.length).toBeGreaterThan(1)
  const parts = await toParts(service)
  expect(parts).toHaveLength(2)
  for (const { sealed } of parts) expect(Buffer.from(sealed).includes('nginx')).toBe(false)

  expect(await ask()).toEqual(first)
  expect(await toParts(service)).toEqual(parts)
  await service.db.deleteFrom('run_part').where('kind', '=', 'assessment').execute()
  expect(await ask()).toEqual(first)

  await forgetSecurity(service)
  expect((await ask()).items).toEqual([])
  const [renewed] = await toParts(service)
  const { kind, part, key_id: keyId, sealed } = renewed!
  expect(sealed).not.toEqual(parts[0]!.sealed)
  const { run_id } = await service.db
    .selectFrom('run')
    .where('id', '=', renewed!.run_id)
    .select('run_id')
    .executeTakeFirstOrThrow()
  const opened = unpack(service.vault.open(run_id, { kind, part, keyId, sealed })).toString('utf8')
  expect(opened).toContain('nginx:1.27.3')
})

test('an assessment whose catalog changed meanwhile is not stored', async () => {
  const service = await openService()
  await service.call('listProjects')
  await service.upload([], { report: { ...scan([]), artifacts: { images: [image('nginx:1.27.3')] } } })
  const asked = service.call('getImpact', { query: {} })
  await forgetSecurity(service)
  await asked
  expect((await service.call('getImpact', { query: {} })).items).toEqual([])
})

test('how fresh a run is on a day is stored sealed and used until the catalog or the day changes', async () => {
  const service = await openService()
  const report = { ...scan([]), artifacts: { images: [image('nginx:1.27.3'), image('registry.example/own:1.0.0')] } }
  const { run_id } = await service.upload([], { report })
  await service.call('getImpact', { query: {} })
  const ask = (query = {}) => service.call('reportFreshness', { params: { run_id }, query })
  const stored = async () => (await toParts(service)).filter(({ part }) => part === 1)

  const explained = await ask({ explain: true })
  expect(await stored()).toEqual([])
  const first = await ask()
  expect(first.items).toEqual(
    explained.items.map(({ candidates: _, advisories, ...item }) => {
      return { ...item, advisories: advisories.map(({ ranges: __, ...advisory }) => advisory) }
    }),
  )
  const [part] = await stored()
  expect(Buffer.from(part!.sealed).includes('nginx')).toBe(false)
  expect(await ask()).toEqual(first)
  expect(await stored()).toEqual([part])

  await forgetSecurity(service)
  const later = await ask()
  expect(later.items.find(({ artifact_key }) => artifact_key.includes('nginx'))!.advisories).toEqual([])
  expect((await stored())[0]!.sealed).not.toEqual(part!.sealed)
  // The assessment for questions about all clusters is another part.
  expect(await toParts(service)).toHaveLength(2)
})
