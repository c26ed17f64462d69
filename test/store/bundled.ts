import { onTestFinished } from 'vitest'
import type { Db } from '../../src/db/open.ts'
import { saveBundledCatalog } from '../../src/store/catalog/bundled.ts'
import { parseTimestamp } from '../../src/util/time.ts'
import { type BundledProject, type BundledRelease, catalogFor } from '../helpers/bundled-catalog.ts'
import { openMemoryStore } from '../helpers/memory-store.ts'

export function project(slug: string, more: Partial<BundledProject> = {}): BundledProject {
  return {
    slug,
    name: slug,
    description: '',
    category: 'Platform',
    cncf_status: 'open-source',
    homepage: '',
    docs_url: null,
    repo_url: '',
    helm_chart_repo: null,
    helm_chart_names: [],
    image_repositories: [],
    tag_pattern: null,
    releases: [],
    ...more,
  }
}

export function release(version: string, published: string, more: Partial<BundledRelease> = {}): BundledRelease {
  const url = `https://releases.example/${version}`
  return {
    type: 'app',
    version,
    chartName: null,
    appVersion: null,
    publishedAt: parseTimestamp(published)!,
    url,
    ...more,
  }
}

export async function storeWith(projects: BundledProject[], now = 1_700_000_000): Promise<Db> {
  const db = await openMemoryStore()
  onTestFinished(() => db.destroy())
  await save(db, projects, now)
  return db
}

export const save = (db: Db, projects: BundledProject[], now: number, options = {}): Promise<void> =>
  db.transaction().execute((trx) => saveBundledCatalog(trx, catalogFor(projects), now, options))

/** A project that did not come with a bundle; `more` replaces its columns. Answers with its id. */
export async function addForeignProject(db: Db, slug: string, more: { name?: string } = {}): Promise<number> {
  const texts = { description: 'ours', category: 'Ours', homepage: 'h', docs_url: 'd', repo_url: 'r', logo_url: 'l' }
  const { id } = await db
    .insertInto('project')
    .values({ slug, name: slug, ...texts, cncf_status: 'sandbox', origin: 'user', updated_at: 5, ...more })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function addForeignRelease(db: Db, projectId: number, version: string): Promise<void> {
  const texts = { chart_name: '', url: 'ours', release_notes: 'ours', security_severity: 'high' } as const
  await db
    .insertInto('release')
    .values({
      project_id: projectId,
      type: 'app',
      version,
      ...texts,
      published_at: 5,
      created_at: 5,
      has_security_fix: 1,
      origin: 'user',
    })
    .execute()
}

export async function toId(db: Db, slug: string): Promise<number> {
  return (await db.selectFrom('project').select('id').where('slug', '=', slug).executeTakeFirstOrThrow()).id
}
