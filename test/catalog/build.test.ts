import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { BundledReleases } from '../../src/catalog/bundled.ts'
import { bundledCatalogDate, bundledCatalogEdition } from '../../src/catalog/date.ts'
import { openWorld, type World } from '../collectors/world.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { start } from '../helpers/process.ts'

const count = 12

/** A checkout whose catalog has the projects of the world only, and none of their releases but one that no source lists. */
function checkout({ projects }: World) {
  const folder = temporaryFolder()
  const inFolder = (path: string) => join(folder, path)
  for (const part of ['src', 'scripts', 'package.json']) cpSync(part, inFolder(part), { recursive: true })
  symlinkSync(resolve('node_modules'), inFolder('node_modules'))
  mkdirSync(inFolder('catalog/projects'), { recursive: true })
  for (const path of globSync('*.yaml', { cwd: 'catalog' })) writeFileSync(inFolder(`catalog/${path}`), '[]\n')
  writeFileSync(inFolder('catalog/managed.yaml'), 'offerings: {}\nplaces: []\n')
  writeFileSync(inFolder('catalog/systems.yaml'), 'systems: {rhel: rhel}\nofferings: {eks: eks}\nstated: {}\n')
  for (const { slug, repo_url, helm_chart_repo: repository, eol_product: eol } of projects) {
    const identity = { name: slug, description: `Does what ${slug} does for tests of the catalog`, category: 'Tests' }
    const charts = repository && { charts: { repository, names: [slug] } }
    const places = { homepage: repo_url, repo_url, cncf_status: 'open-source', ...charts, ...(eol && { eol }) }
    writeFileSync(inFolder(`catalog/projects/${slug}.yaml`), stringify({ ...identity, ...places }))
  }
  for (const name of ['releases', 'history', 'advisories', 'derived'])
    writeFileSync(inFolder(`src/catalog/data/${name}.json`), '{}\n')
  for (const name of ['cycles', 'node-systems', 'offerings'])
    writeFileSync(inFolder(`src/lifecycle/data/${name}.json`), '{}\n')
  writeFileSync(inFolder('src/catalog/data/releases.json'), '{"project-000":{"app":[["v0.0.1","2020-01-01"]]}}\n')
  return folder
}

const build = (folder: string, { env }: World, ...args: string[]) =>
  start(join(folder, 'scripts/catalog/build.ts'), args, env, ['env', '-C', folder])

const read = <T>(folder: string, path: string): T => JSON.parse(readFileSync(join(folder, 'src', path), 'utf8'))
const releasesOf = (folder: string) => read<Record<string, BundledReleases>>(folder, 'catalog/data/releases.json')

test('a build that was killed goes on, says what is new, and loses no release', async () => {
  const world = await openWorld(count)
  const folder = checkout(world)
  const before = releasesOf(folder)
  const killed = build(folder, world)
  while (world.asked().length < 10 && killed.child.exitCode === null) await sleep(5)
  killed.child.kill('SIGKILL')
  expect(await killed.finished).toMatchObject({ signal: 'SIGKILL' })
  expect(releasesOf(folder)).toEqual(before)
  const finished = await build(folder, world).finished
  expect(finished).toMatchObject({ code: 0 })
  expect(finished.stdout).toContain('project-000: new release: v0.5.0, v0.4.0')
  const releases = releasesOf(folder)
  expect(Object.keys(releases)).toEqual(world.names)
  expect(releases['project-000']!.app!.map(([version]) => version)).toEqual([
    ...['v0.5.0', 'v0.4.0', 'v0.3.0', 'v0.2.0', 'v0.1.0', 'v0.0.1'],
  ])
  expect(releases['project-000']).toMatchObject({
    helm: {
      'project-000': [
        ['1.2.0', '2026-08-01 00:00:00'],
        ['1.1.0', expect.anything()],
        ['1.0.0', expect.anything()],
      ],
    },
    pre: [['v0.6.0-rc.1', '2026-08-21 00:00:00']],
  })
  const cycles = read<Record<string, unknown>>(folder, 'lifecycle/data/cycles.json')
  expect(Object.keys(cycles)).toEqual(['project-000', 'project-004', 'project-008'])
  expect(cycles['project-000']).toMatchObject({ product: 'project-000', cycles: [['1', '2026-01-31']] })
  expect(read(folder, 'lifecycle/data/node-systems.json')).toMatchObject({ rhel: { cycles: [['1', '2026-01-31']] } })

  const history = read<Record<string, { known_until: string }>>(folder, 'catalog/data/history.json')
  const today = new Date().toISOString().slice(0, 10)
  expect(Object.values(history).map(({ known_until }) => known_until)).toEqual(world.names.map(() => today))

  world.forget()
  const again = await build(folder, world).finished
  expect(again).toMatchObject({ code: 0, stdout: '' })
  expect(releasesOf(folder)).toEqual(releases)
  expect(world.asked().filter(({ headers, status }) => headers['if-none-match'] && status === 200)).toEqual([])
})

test('a build of some projects is another edition of the same day', async () => {
  const world = await openWorld(3)
  const folder = checkout(world)
  const dates = () => readFileSync(join(folder, 'src/catalog/date.ts'), 'utf8')
  expect(await build(folder, world, 'project-002').finished).toMatchObject({ code: 0 })
  expect(dates()).toContain(`bundledCatalogDate = '${bundledCatalogDate}'`)
  expect(dates()).toContain(`Edition = ${bundledCatalogEdition + 1}`)
  expect(await build(folder, world).finished).toMatchObject({ code: 0 })
  expect(dates()).toContain(`bundledCatalogDate = '${new Date().toISOString().slice(0, 10)}'`)
  expect(dates()).toContain('Edition = 1\n')
})

test('a build without an answer changes nothing, and fails', async () => {
  const world = await openWorld(3)
  const folder = checkout(world)
  const dead = { RELT_GITHUB_URL: 'http://127.0.0.1:9', RELT_GITHUB_API_URL: 'http://127.0.0.1:9' }
  const env = { ...world.env, ...dead, RELT_EOL_URL: 'http://127.0.0.1:9', RELT_REGISTRY_MIRRORS: '' }
  const date = readFileSync(join(folder, 'src/catalog/date.ts'), 'utf8')
  const finished = await build(folder, { ...world, env }, 'project-002').finished
  expect(finished.code).not.toBe(0)
  expect(readFileSync(join(folder, 'src/catalog/date.ts'), 'utf8')).toBe(date)
})
