import { expect } from 'vitest'
import { OwnProject } from '../../../src/contract/catalog.ts'
import { exportCatalog, importCatalog } from '../../../src/operations/catalog/file.ts'
import { addOwnProject } from '../../../src/operations/catalog/own-project.ts'
import { saveCollected } from '../../../src/store/catalog/collected-release.ts'
import { listCatalogFileReleases } from '../../../src/store/catalog/file-release.ts'
import { listCatalogProjects } from '../../../src/store/catalog/own-project.ts'
import { dump, now, type TestService } from '../service.ts'

/** Adds a project with an app release and a chart. */
export async function addFilled(service: TestService): Promise<TestService> {
  const own = OwnProject.parse({
    name: 'Shop API',
    repo_url: 'https://github.com/shop/api',
    tag_pattern: 'api-v(.*)',
    image_repositories: ['registry.shop.example/api'],
    helm_chart_names: ['api'],
  })
  const { id } = await addOwnProject(service.db, own, now)
  const common = {
    chartName: '',
    appVersion: null,
    publishedAt: now,
    url: 'https://x.example',
    notes: '<p>Ünïcode</p>',
  }
  const security = {
    hasFix: true,
    ids: ['CVE-2026-1111'],
    severity: 'high',
    summary: 'Bad',
    links: ['https://a.example'],
  } as const
  await saveCollected(
    service.db,
    id,
    [
      {
        ...common,
        type: 'app',
        version: 'api-v1.0.0',
        security: { ...security, ids: [...security.ids], links: [...security.links] },
      },
      { ...common, type: 'helm', chartName: 'api', version: '1.0.0', appVersion: 'v1', security: null },
    ],
    now,
  )
  return service
}

/** What a catalog says, whatever its ids. */
async function catalogFor({ db }: Pick<TestService, 'db'>) {
  const releases = await listCatalogFileReleases(db)
  const projects = await listCatalogProjects(db)
  return projects.map(({ id, origin: _, ...project }) => ({ ...project, releases: releases.get(id) ?? [] }))
}

/** Both stores know these `count` projects. */
export async function copyCatalog(from: TestService, to: TestService, count: number): Promise<void> {
  await addFilled(from)
  const file = await exportCatalog(from.db, now)
  expect(await importCatalog(to.db, file, now)).toEqual({
    projects: { added: 1, known: count },
    releases: { added: 2, updated: 0 },
  })
  expect(await catalogFor(to)).toEqual(await catalogFor(from))
  const before = await dump(to.db)
  expect(await importCatalog(to.db, file, now + 1)).toEqual({
    projects: { added: 0, known: count + 1 },
    releases: { added: 0, updated: 0 },
  })
  expect(await dump(to.db)).toEqual(before)
}
