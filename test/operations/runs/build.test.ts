import { describe, expect, test } from 'vitest'
import { day, openCatalogService } from '../service.ts'

/** Results by file: `services/a/x.ts: r1 r2`. */
const sarif = (...files: string[]) => ({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'semgrep' } },
      results: files.flatMap((line) => {
        const [uri, rules = ''] = line.split(': ')
        return rules.split(' ').map((ruleId) => ({
          ruleId,
          message: { text: ruleId },
          locations: [{ physicalLocation: { artifactLocation: { uri } } }],
        }))
      }),
    },
  ],
})

async function openShop() {
  const { upload, clock, call } = await openCatalogService()
  const query = { cluster_name: 'shop' }
  return {
    upload: async (build: string | undefined, report: object, more: object = {}) => {
      clock.now += 60
      const ci = build === undefined ? undefined : { build_url: `https://ci.example/builds/${build}`, branch: 'main' }
      return upload([], { report, body: { cluster: { name: 'shop' }, ...(ci && { ci }), ...more } })
    },
    nextDay: () => {
      clock.now += day
    },
    changes: async () => {
      const found = await call('compareReports', { query })
      const { new_findings_count, resolved_findings_count, regressed_findings_count } = found
      return [new_findings_count, resolved_findings_count, regressed_findings_count]
    },
    open: async () =>
      (await call('listFindings', { query: { ...query, per_page: 100 } })).items.map((one) => one.check_id).sort(),
  }
}

describe('a second upload in one build', () => {
  test('adds to the first, and is compared with the build before', async () => {
    const shop = await openShop()
    await shop.upload('1', sarif('services/a/x.ts: r1'))
    await shop.upload('1', sarif('services/b/x.ts: r2'))
    await shop.upload('1', sarif('services/c/x.ts: r3'))
    expect(await shop.open()).toEqual(['r1', 'r2', 'r3'])
    shop.nextDay()
    await shop.upload('2', sarif('services/a/x.ts: r1'))
    await shop.upload('2', sarif('services/b/x.ts: r2 r4'))
    expect(await shop.changes()).toEqual([1, 1, 0])
    await shop.upload('2', sarif('services/c/x.ts: r3'))
    expect(await shop.changes()).toEqual([0, 0, 0])
    expect(await shop.open()).toEqual(['r1', 'r2', 'r3', 'r4'])
  })

  test('resolves what no upload of the build has any more', async () => {
    const shop = await openShop()
    await shop.upload('1', sarif('services/a/x.ts: r1'))
    await shop.upload('1', sarif('services/b/x.ts: r2'))
    shop.nextDay()
    await shop.upload('2', sarif('services/a/x.ts: r1'))
    await shop.upload('2', sarif())
    expect(await shop.changes()).toEqual([0, 1, 0])
    expect(await shop.open()).toEqual(['r1'])
  })

  test('asks for a name of each where no place is in both', async () => {
    const shop = await openShop()
    expect((await shop.upload('1', sarif('services/a/x.ts: r1'))).warnings).toBeUndefined()
    expect((await shop.upload('1', sarif('services/b/x.ts: r2'))).warnings).toEqual([
      'Another upload of this build is about semgrep as well, and no place is in both. If they are about two things, name each with --subject.',
    ])
    expect((await shop.upload('2', sarif('x.ts: r1'))).warnings).toBeUndefined()
    expect((await shop.upload('2', sarif('x.ts: r2'))).warnings).toBeUndefined()
    expect((await shop.upload('2', sarif())).warnings).toBeUndefined()
  })

  test('is of its own where it is named', async () => {
    const shop = await openShop()
    for (const build of ['1', '2']) {
      for (const service of ['a', 'b']) {
        const named = await shop.upload(build, sarif(`services/${service}/x.ts: r${service}`), { subject: service })
        expect(named.warnings).toBeUndefined()
        if (build === '2') expect(await shop.changes()).toEqual([0, 0, 0])
      }
      shop.nextDay()
    }
  })
})

test.each([
  ['of another build', '2'],
  ['without a build', undefined],
])('an upload %s is the next state', async (_, build) => {
  const shop = await openShop()
  await shop.upload('1', sarif('services/a/x.ts: r1'))
  await shop.upload(build, sarif('services/b/x.ts: r2'))
  expect(await shop.changes()).toEqual([1, 1, 0])
  expect(await shop.open()).toEqual(['r2'])
})

test('a cluster that a build scans twice has changed meanwhile', async () => {
  const { upload, clock, call } = await openCatalogService()
  const ci = { build_url: 'https://ci.example/builds/1' }
  const [root, privileged] = ['root', 'privileged'].map((message) => ({ check: 'SEC003', message }))
  await upload([root!, privileged!], { cluster: 'shop', body: { ci } })
  clock.now += 600
  await upload([root!], { cluster: 'shop', body: { ci } })
  expect(await call('compareReports', { query: { cluster_name: 'shop' } })).toMatchObject({
    resolved_findings_count: 1,
  })
})
