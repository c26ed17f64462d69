import { hash } from 'node:crypto'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { OwnProject } from '../../src/contract/catalog.ts'
import { openDatabase } from '../../src/db/open.ts'
import { insertOwnProject } from '../../src/store/catalog/own-project.ts'
import { type FakeRepository, openGithub } from './github-server.ts'
import { openHelmRepository } from './helm/helm-server.ts'
import { type Asked, type LocalServer, openLocalServer, sendJson } from './local-server.ts'
import { openRegistry } from './oci/registry-server.ts'
import { repositoriesFor, slugs } from './projects.ts'

export interface World {
  names: string[]
  /** Sources that a sync looks at. */
  sources: number
  /** Where a sync finds the servers. */
  env: Record<string, string>
  /** What all servers were asked, and what they answered. */
  asked(): Asked[]
  forget(): void
  /** Where each project publishes. */
  projects: { slug: string; repo_url: string; helm_chart_repo: string | null; eol_product?: string }[]
  /** A store whose only unusual projects are those of this world. */
  fill(home: string, now: number): Promise<void>
}

/**
 * Projects whose releases and advisories are on GitHub; a third have charts in one of two Helm repositories, and a third in
 * a registry that wants a token. A quarter have release cycles at endoflife.date, and every fifth names an id that OSV has.
 */
export async function openWorld(count: number): Promise<World> {
  const names = slugs(count)
  const github = await openGithub(withSecurity(repositoriesFor(names)))
  const helm = await Promise.all([0, 1].map((which) => openHelmRepository(indexOf(names, which))))
  const registry = await openRegistry(toCharts(names))
  registry.access = 'bearer'
  const osv = await openOsv()
  const endOfLife = await openEndOfLife()
  const servers = [github, ...helm, registry, osv, endOfLife]
  const chartRepo = (index: number) =>
    index % 3 === 0 ? `${helm[index % 2]!.url}/charts` : index % 3 === 1 ? `oci://${registry.host}/charts` : null
  const projects = names.map((slug, index) => {
    const eol = index % 4 === 0 ? { eol_product: slug } : {}
    return { slug, repo_url: `https://github.com/o/${slug}`, helm_chart_repo: chartRepo(index), ...eol }
  })
  return {
    names,
    projects,
    sources: names.reduce((sum, _, index) => sum + (chartRepo(index) === null ? 2 : 3) + (index % 4 === 0 ? 1 : 0), 0),
    env: {
      RELT_ALLOW_NETS: '127.0.0.0/8',
      RELT_GITHUB_URL: github.url,
      RELT_GITHUB_API_URL: github.url,
      RELT_GITHUB_TOKEN: github.token,
      RELT_OSV_URL: osv.url,
      RELT_KEV_URL: 'none',
      RELT_CHANNELS_URL: 'none',
      RELT_EOL_URL: endOfLife.url,
    },
    asked: () => servers.flatMap(({ asked }) => asked),
    forget: () => {
      for (const { asked } of servers) asked.length = 0
    },
    async fill(home, now) {
      const db = await openDatabase(join(home, 'relt.db'))
      for (const { slug, ...places } of projects) {
        const helm_chart_names = places.helm_chart_repo ? [slug] : []
        const project = OwnProject.parse({ name: slug, ...places, helm_chart_names })
        await insertOwnProject(db, { ...project, slug, origin: 'user' }, now)
      }
      await db.destroy()
    },
  }
}

/** Each advisory names the newest release of its project as fixed; the oldest release of every fifth names one itself. */
function withSecurity(repositories: Record<string, FakeRepository>) {
  for (const [index, repository] of Object.values(repositories).entries()) {
    const oldest = repository.releases?.at(-1)
    if (oldest && index % 5 === 0) oldest.notes = `<p>Fixes CVE-2026-${10_000 + index}</p>`
    const ghsa = `GHSA-2222-2222-${String(index).padStart(4, '2').replaceAll(/[01]/g, 'x')}`
    repository.advisories = [{ ghsa, severity: 'high', patched: [`${index}.5.0`] }]
  }
  return repositories
}

/** It knows every id, under one of GitHub's as well. */
function openOsv(): Promise<LocalServer> {
  return openLocalServer(({ path }, response) => {
    const id = path.split('/').at(-1)!
    const alias = `GHSA-3333-3333-${id.slice(-4).replaceAll(/[01]/g, 'x')}`
    sendJson(response, { id, aliases: [alias], summary: `About ${id}`, database_specific: { severity: 'CRITICAL' } })
  })
}

function openEndOfLife(): Promise<LocalServer> {
  return openLocalServer(({ path, headers }, response) => {
    const product = path.split('/').at(-1)
    const releases = [{ name: '1', isEol: true, eolFrom: '2026-01-31', isLts: false, ltsFrom: null }]
    const etag = `"${hash('sha256', path)}"`
    if (headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
    sendJson(response, { schema_version: '1.2.1', result: { name: product, releases } }, { etag })
  })
}

const versions = ['1.2.0', '1.1.0', '1.0.0']
const created = '2026-08-01T00:00:00Z'

function indexOf(names: string[], which: number): string {
  const own = names.filter((_, index) => index % 3 === 0 && index % 2 === which)
  const entries = own.map((name) => [name, versions.map((version) => ({ name, version, created, urls: [] }))])
  return stringify({ apiVersion: 'v1', entries: Object.fromEntries(entries) })
}

function toCharts(names: string[]) {
  const own = names.filter((_, index) => index % 3 === 1)
  const chart = (name: string, version: string) => ({ isChart: true, created, config: { name, version } })
  return Object.fromEntries(
    own.map((name) => [
      `charts/${name}`,
      Object.fromEntries(versions.map((version) => [version, chart(name, version)])),
    ]),
  )
}
