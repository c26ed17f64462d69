import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/db/open.ts'
import { openGithub } from '../collectors/github-server.ts'
import { addProjects, repositoriesOf, slugs } from '../collectors/projects.ts'
import { temporaryFolder, testNow } from '../helpers/cli.ts'
import { reltFile, start } from '../helpers/process.ts'

const names = slugs(300)

/** Of the projects that were added here. */
async function contentsOf(home: string) {
  const db = await openDatabase(join(home, 'relt.db'))
  const releases = await db
    .selectFrom('release')
    .innerJoin('project', 'project.id', 'release.project_id')
    .select(['slug', 'type', 'chart_name', 'version', 'published_at', 'url', 'release_notes', 'release.origin'])
    .where('project.origin', '=', 'user')
    .orderBy('slug')
    .orderBy('type')
    .orderBy('version')
    .execute()
  const projects = await db
    .selectFrom('project')
    .leftJoin('source', 'source.project_id', 'project.id')
    .select(['slug', 'latest_version', 'kind', 'etag', 'cursor'])
    .where('project.origin', '=', 'user')
    .orderBy('slug')
    .execute()
  await db.destroy()
  return { releases, projects }
}

async function newStore(): Promise<string> {
  const home = temporaryFolder()
  const db = await openDatabase(join(home, 'relt.db'))
  await addProjects(db, names, testNow)
  await db.destroy()
  return home
}

test('syncs that are killed in the middle lose nothing and double nothing', async () => {
  const github = await openGithub(repositoriesOf(names))
  const env = { RELT_GITHUB_URL: github.url, RELT_GITHUB_API_URL: github.url, RELT_GITHUB_TOKEN: github.token }
  const sync = (home: string) => start(reltFile, ['catalog', 'sync', ...names, '--json'], { ...env, RELT_HOME: home })

  const whole = await newStore()
  expect(await sync(whole).finished).toMatchObject({ code: 0, stderr: '' })

  const home = await newStore()
  const known: number[] = []
  for (const kill of [40, 120, 200, 270]) {
    github.asked.length = 0
    const { child, finished } = sync(home)
    const news = () => github.asked.filter(({ status }) => status === 200).length
    const before = known.at(-1) ?? 0
    while (before + news() < kill && child.exitCode === null) await sleep(1)
    child.kill('SIGKILL')
    expect(await finished).toMatchObject({ signal: 'SIGKILL' })
    const { projects } = await contentsOf(home)
    known.push(projects.filter(({ kind }) => kind !== null).length)
  }
  expect(known).toEqual(known.toSorted((a, b) => a - b))
  expect(known.at(-1)).toBeLessThan(300)

  const { stdout } = await sync(home).finished
  expect(JSON.parse(stdout).summary).toMatchObject({ changed: 300 - known.at(-1)!, unchanged: known.at(-1) })
  expect(await contentsOf(home)).toEqual(await contentsOf(whole))
})

test('a sync that is interrupted tells what it did, and what it did stays', async () => {
  const github = await openGithub(repositoriesOf(names))
  const env = { RELT_GITHUB_URL: github.url, RELT_GITHUB_API_URL: github.url, RELT_GITHUB_TOKEN: github.token }
  const home = await newStore()
  const { child, finished } = start(reltFile, ['catalog', 'sync', ...names, '--json'], { ...env, RELT_HOME: home })
  while (github.asked.length < 50 && child.exitCode === null) await sleep(1)
  child.kill('SIGINT')
  const { code, stdout, stderr } = await finished
  expect(code).toBe(130)
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'relt_cancelled', hint: 'To go on: relt catalog sync' })
  const { total, sources } = JSON.parse(stdout)
  expect([total, sources.length < 300]).toEqual([300, true])
  const { projects } = await contentsOf(home)
  expect(projects.filter(({ kind }) => kind !== null)).toHaveLength(sources.length)
})
