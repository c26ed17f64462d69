import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { openDatabase } from '../../src/db/open.ts'
import { requestsByKind } from '../collectors/request-kinds.ts'
import { openWorld, type World } from '../collectors/world.ts'
import { temporaryFolder, testNow } from './cli.ts'
import { reltFile, start } from './process.ts'

/** Of the projects that were added here. */
async function toContents(home: string) {
  const db = await openDatabase(join(home, 'relt.db'))
  const releases = await db
    .selectFrom('release')
    .innerJoin('project', 'project.id', 'release.project_id')
    .select(['slug', 'type', 'chart_name', 'version', 'published_at', 'url', 'release_notes', 'release.origin'])
    .select(['has_security_fix', 'security_severity', 'cve_list'])
    .where('project.origin', '=', 'user')
    .orderBy('slug')
    .orderBy('type')
    .orderBy('version')
    .execute()
  const sources = await db
    .selectFrom('project')
    .innerJoin('source', 'source.project_id', 'project.id')
    .select(['slug', 'latest_version', 'kind', 'etag', 'cursor'])
    .where('project.origin', '=', 'user')
    .orderBy('slug')
    .orderBy('kind')
    .execute()
  const cycles = await db
    .selectFrom('cycle')
    .innerJoin('project', 'project.id', 'cycle.project_id')
    .select(['slug', 'cycle', 'eol'])
    .orderBy('slug')
    .execute()
  await db.destroy()
  return { releases, sources, cycles }
}

async function newStore(world: World): Promise<string> {
  const home = temporaryFolder()
  await world.fill(home, testNow)
  return home
}

const toSync = (world: World) => (home: string) => {
  world.forget()
  return start(reltFile, ['catalog', 'sync', ...world.names, '--json'], { ...world.env, RELT_HOME: home })
}

/** A second sync gets "not modified" from every source and does not write to the store. `projects`: a multiple of 60. */
export async function syncTwice(projects: number): Promise<void> {
  const world = await openWorld(projects)
  const sync = toSync(world)
  const home = await newStore(world)
  const first = await sync(home).finished
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(first.stdout)).toMatchObject({
    total: world.sources,
    summary: { changed: world.sources },
    advisories: { asked: projects / 5, found: projects / 5, unanswered: 0 },
  })
  const before = readFileSync(join(home, 'relt.db'))
  const second = await sync(home).finished
  expect(JSON.parse(second.stdout).summary).toMatchObject({ unchanged: world.sources, added: 0, updated: 0 })
  const { tokens, unconditional, conditional } = requestsByKind(world.asked())
  expect(conditional.filter(({ status }) => status !== 304)).toEqual([])
  // Each source is asked once, with a condition or in a batch. How many share a batch depends on timing.
  expect(conditional.length + unconditional.length).toBeLessThanOrEqual(world.sources)
  expect(conditional.length).toBeGreaterThanOrEqual(0.85 * world.sources)
  // The first request to the registry is refused; after that a repository has at most one token of its own.
  expect(tokens.length).toBeLessThanOrEqual(1 + projects / 3)
  expect(readFileSync(join(home, 'relt.db')).equals(before)).toBe(true)
}

/**
 * Kills a sync after each number of answers, and compares what the last one leaves with a sync that nobody killed. `projects`:
 * a multiple of 60.
 */
export async function killSyncs(projects: number, kills: number[]): Promise<void> {
  const world = await openWorld(projects)
  const sync = toSync(world)
  const whole = await newStore(world)
  expect(await sync(whole).finished).toMatchObject({ code: 0, stderr: '' })

  const home = await newStore(world)
  const known: number[] = []
  for (const kill of kills) {
    const { child, finished } = sync(home)
    const news = () => world.asked().filter(({ status }) => status === 200).length
    const before = known.at(-1) ?? 0
    while (before + news() < kill && child.exitCode === null) await sleep(1)
    child.kill('SIGKILL')
    expect(await finished).toMatchObject({ signal: 'SIGKILL' })
    known.push((await toContents(home)).sources.length)
  }
  expect(known).toEqual(known.toSorted((a, b) => a - b))
  expect(known.at(-1)).toBeGreaterThan(0)
  expect(known.at(-1)).toBeLessThan(world.sources)

  const { stdout } = await sync(home).finished
  const left = world.sources - known.at(-1)!
  expect(JSON.parse(stdout).summary).toMatchObject({ changed: left, unchanged: known.at(-1) })
  const contents = await toContents(home)
  expect(contents).toEqual(await toContents(whole))
  const fixes = contents.releases.filter((release) => release.has_security_fix)
  expect([fixes.length, contents.cycles.length]).toEqual([projects + projects / 5, projects / 4])
}

/** Interrupts a sync after 50 requests. */
export async function interruptSync(projects: number): Promise<void> {
  const world = await openWorld(projects)
  const home = await newStore(world)
  const { child, finished } = toSync(world)(home)
  while (world.asked().length < 50 && child.exitCode === null) await sleep(1)
  child.kill('SIGINT')
  const { code, stdout, stderr } = await finished
  expect(code).toBe(130)
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'relt_cancelled', hint: 'Continue: relt catalog sync' })
  const { total, sources } = JSON.parse(stdout)
  expect([total, sources.length < world.sources]).toEqual([world.sources, true])
  expect((await toContents(home)).sources).toHaveLength(sources.length)
}
