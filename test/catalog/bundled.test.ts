import { describe, expect, test } from 'vitest'
import { bundledProjects } from '../../src/catalog/bundled.ts'
import { bundledCatalogDate } from '../../src/catalog/date.ts'
import { CncfStatus } from '../../src/contract/project.ts'

const projects = bundledProjects()
const releases = projects.flatMap((project) => project.releases.map((release) => ({ ...release, slug: project.slug })))

/** What occurs more than once. */
const repeated = (list: string[]) => list.filter((entry, i) => list.indexOf(entry) !== i)

describe('the bundled catalog', () => {
  test('has all its projects and releases', () => {
    expect(projects).toHaveLength(516)
    expect(releases).toHaveLength(12_277)
    expect(
      Object.fromEntries(['app', 'helm', 'pre'].map((type) => [type, releases.filter((r) => r.type === type).length])),
    ).toEqual({
      app: 8509,
      helm: 3381,
      pre: 387,
    })
    expect(bundledCatalogDate).toMatch(/^\d{4}-\d\d-\d\d$/)
  })

  test('names every project, repository and chart once, and every release of a type and chart once', () => {
    expect(repeated(projects.map((project) => project.slug))).toEqual([])
    expect(repeated(projects.flatMap((project) => project.image_repositories))).toEqual([])
    expect(repeated(projects.flatMap((project) => project.helm_chart_names))).toEqual([])
    expect(new Set(releases.map((r) => `${r.slug} ${r.type} ${r.chartName} ${r.version}`)).size).toBe(releases.length)
  })

  test('has values of the contract only', () => {
    const wrong = projects.filter(
      (project) =>
        !/^[a-z0-9][a-z0-9.-]*$/.test(project.slug) ||
        !CncfStatus.safeParse(project.cncf_status).success ||
        !project.name ||
        !project.description ||
        ![project.homepage, project.repo_url, project.docs_url ?? 'https://'].every((url) =>
          url.startsWith('https://'),
        ),
    )
    expect(wrong.map((project) => project.slug)).toEqual([])
  })

  test('has a pattern with a group wherever it has a pattern', () => {
    const patterns = projects.flatMap((project) => project.tag_pattern ?? [])
    expect(patterns.length).toBeGreaterThan(0)
    for (const pattern of patterns) expect(new RegExp(`${pattern}|`).exec('')).toHaveLength(2)
  })

  test('dates every release, none before Kubernetes was thought of, and gives it an address', () => {
    const earliest = Date.UTC(2010, 0) / 1000
    const latest = Date.UTC(2027, 0) / 1000
    const wrong = releases.filter(
      ({ publishedAt, url, version, type, chartName }) =>
        !(publishedAt > earliest && publishedAt < latest) ||
        !/^(https|oci):\/\/[^{}\s]+$/.test(url) ||
        version.trim() !== version ||
        version === '' ||
        (type === 'helm') !== (type === 'helm' && chartName !== null),
    )
    expect(wrong).toEqual([])
  })

  test.each([
    ['a template of its own', 'helm', 'argo-cd'],
    ['the default address', 'app', 'argo-cd'],
  ])('fills %s', (_, type, slug) => {
    const found = releases.filter((release) => release.slug === slug && release.type === type)
    expect(found.length).toBeGreaterThan(0)
    for (const { url, version } of found) expect(url).toContain(version)
  })
})
