import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Freshness } from '../../../../src/contract/freshness.ts'
import { type FakeRegistry, openRegistry } from '../../../collectors/oci/registry-server.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { makeSmallCatalog, uploadAll } from '../../../helpers/small-store.ts'

const image = (build: string) => ({ config: { build } })

async function openStore(): Promise<{ registry: FakeRegistry; home: string }> {
  const registry = await openRegistry({
    'team/cart': { '1.0.0': image('1'), '1.1.0': image('2'), '2.0.0': image('3'), latest: image('2') },
  })
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  const images = [':1.1.0', ':latest', '-gone:1.0.0'].map((rest) => ({ fullRef: `${registry.host}/team/cart${rest}` }))
  const metadata = { clusterName: 'shop', generatedAt: '2026-08-01T00:00:00Z' }
  await uploadAll(home, [
    { metadata, checks: { A: { Total: 0 } }, artifacts: { images: [...images, { fullRef: 'nginx:1.27.3' }] } },
  ])
  return { registry, home }
}

async function freshness(home: string, ...argv: string[]): Promise<Freshness> {
  return freshnessWith({}, home, ...argv)
}

async function freshnessWith(env: Record<string, string>, home: string, ...argv: string[]): Promise<Freshness> {
  const { code, stdout, stderr } = await runCli(['reports', 'freshness', '--json', ...argv], {
    home,
    env: { RELT_ALLOW_NETS: '127.0.0.1', ...env },
  })
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

test('--registry asks the registries of images of which the catalog tells nothing', async () => {
  const { registry, home } = await openStore()
  const before = await freshness(home)
  expect(before.summary).toMatchObject({ up_to_date: 0, minor_behind: 0, major_behind: 1, unknown: 3 })
  expect(registry.asked).toEqual([])

  const after = await freshness(home, '--registry')
  expect(after.summary).toMatchObject({ up_to_date: 0, minor_behind: 0, major_behind: 3, unknown: 1 })
  const one = (rest: string) => after.items.find(({ artifact_key }) => artifact_key === `${registry.host}/team/${rest}`)
  expect(one('cart:1.1.0')).toMatchObject({
    current_version: '1.1.0',
    latest_version: '2.0.0',
    releases_behind: 1,
    reason: 'Its registry reports: 1.1.0 < 2.0.0.',
    recommendation: 'Plan the upgrade to 2.0.0.',
  })
  expect(one('cart:latest')).toMatchObject({
    current_version: '1.1.0',
    reason: 'Its registry reports: latest is now 1.1.0; 1.1.0 < 2.0.0.',
  })
  expect(one('cart-gone:1.0.0')).toMatchObject({ status: 'unknown', reason: expect.stringContaining('answered 404.') })
  expect(after.items.filter(({ artifact_key }) => artifact_key.includes('nginx'))).toEqual(
    before.items.filter(({ artifact_key }) => artifact_key.includes('nginx')),
  )
})

test('--registry asks where the mirror of a registry is', async () => {
  const { registry, home } = await openStore()
  const mirror = await openRegistry({ 'team/cart': { '1.1.0': image('2'), '3.0.0': image('4') } })
  const { items } = await freshnessWith({ RELT_REGISTRY_MIRRORS: `${registry.host}=${mirror.url}` }, home, '--registry')
  const cart = items.find(({ artifact_key }) => artifact_key.endsWith('team/cart:1.1.0'))
  expect([cart?.latest_version, registry.asked]).toEqual(['3.0.0', []])
})

test('answers are kept for the next command, and a broken file is none', async () => {
  const { registry, home } = await openStore()
  const first = await freshness(home, '--registry')
  const asked = registry.asked.length
  expect(await freshness(home, '--registry')).toEqual(first)
  // Failures are asked for again.
  expect(registry.asked.slice(asked).map(({ path }) => path)).toEqual(['/v2/team/cart-gone/tags/list?n=1000'])
  const file = join(home, 'cache', 'registry-lookups.json')
  for (const text of ['{', '[[1]]', '{"a":1}', '[["tags x", {"at": 1}]]']) {
    writeFileSync(file, text)
    expect(await freshness(home, '--registry')).toEqual(first)
  }
  expect(JSON.parse(readFileSync(file, 'utf8'))).toContainEqual([
    `tags ${registry.host}/team/cart`,
    { at: expect.any(Number), value: ['1.0.0', '1.1.0', '2.0.0', 'latest'] },
  ])
})
