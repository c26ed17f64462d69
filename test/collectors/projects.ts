import { OwnProject } from '../../src/contract/catalog.ts'
import type { Db } from '../../src/db/open.ts'
import { insertOwnProject } from '../../src/store/catalog/own-project.ts'
import type { FakeRepository } from './github-server.ts'

export const slugs = (count: number) => Array.from({ length: count }, (_, i) => `project-${String(i).padStart(3, '0')}`)

/** Projects of one's own with a repository each on GitHub. */
export async function addProjects(db: Db, names: string[], now: number): Promise<void> {
  for (const slug of names) {
    const project = OwnProject.parse({ name: slug, repo_url: `https://github.com/o/${slug}` })
    await insertOwnProject(db, { ...project, slug, origin: 'user' }, now)
  }
}

/** Each with five releases; every tenth with tags alone, and every twentieth with drafts and pre-releases too. */
export function repositoriesFor(names: string[]): Record<string, FakeRepository> {
  return Object.fromEntries(names.map((slug, index) => [`o/${slug}`, repositoryFor(index)]))
}

function repositoryFor(index: number): FakeRepository {
  const releases = Array.from({ length: 5 }, (_, i) => ({
    tag: `v${index}.${5 - i}.0`,
    at: new Date(Date.UTC(2026, 7, 20) - i * 86_400_000).toISOString(),
    notes: `<p>Release ${i}</p>`,
  }))
  if (index % 10 === 9) return { tags: releases }
  if (index % 20 !== 0) return { releases }
  const draft = { tag: `v${index}.7.0`, at: '2026-08-22T00:00:00Z', draft: true }
  return { releases: [draft, { tag: `v${index}.6.0-rc.1`, at: '2026-08-21T00:00:00Z', prerelease: true }, ...releases] }
}
