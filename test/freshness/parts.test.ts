import { expect, test } from 'vitest'
import { bundledCatalog } from '../../src/catalog/bundled.ts'
import { createTagReader } from '../../src/collectors/tag-reader.ts'
import { createReleaseBook } from '../../src/freshness/releases.ts'
import { judge } from '../../src/freshness/status.ts'
import { parseVersion } from '../../src/freshness/versions.ts'
import { catalogFor } from './catalog.ts'

const { projects, releases } = bundledCatalog()

function read(slug: string) {
  const { tag_pattern: tagPattern, repo_url: url } = projects.find((project) => project.slug === slug)!
  const tags = releases[slug]!.app!.map(([version]) => version)
  const catalog = catalogFor({ slug, tagPattern: tagPattern!, app: tags })
  const book = createReleaseBook(catalog.releasesFor)
  const project = catalog.projects[0]!
  const takes = createTagReader({ url, slug, tagPattern, chartNames: [] })
  return { tags, list: book.app(project), pattern: book.tagPattern(project), takes }
}

test.each([
  ['kubernetes-dashboard', 'kubernetes-dashboard-7.12.0', 'kubernetes-dashboard-7.14.0', 2],
  ['kubernetes-dashboard', 'kubernetes-dashboard-7.5.0', 'kubernetes-dashboard-7.14.0', 15],
  ['external-secrets', 'v2.7.0', 'v2.9.0', 2],
  ['external-secrets', 'v0.20.4', 'v2.9.0', 20],
])('tags of parts of %s do not count for %s', (slug, running, newest, behind) => {
  const { list, pattern } = read(slug)
  expect(list.newest!.version.text).toBe(newest)
  const { releasesBehind, newer } = judge(list, parseVersion(running, pattern)!)
  expect(releasesBehind).toBe(behind)
  expect(newer.filter(({ version }) => /esoctl|\/|-1\.\d/.test(version.text))).toEqual([])
})

test.each([
  ['kubernetes-dashboard', /^kubernetes-dashboard-7\./],
  ['external-secrets', /^v[\d.]+$/],
])('a sync takes no tags of parts of %s', (slug, own) => {
  const { tags, takes } = read(slug)
  expect(tags.filter((tag) => takes(tag) !== undefined)).toEqual(tags.filter((tag) => own.test(tag)))
})
