import { describe, expect, test } from 'vitest'
import { bundledCatalog } from '../../src/catalog/bundled.ts'
import { CncfStatus } from '../../src/contract/project.ts'
import { bundledProjects } from '../helpers/bundled-catalog.ts'

const catalog = bundledCatalog()
const projects = bundledProjects()
const releases = projects.flatMap((project) => project.releases.map((release) => ({ ...release, slug: project.slug })))

/** What occurs more than once. */
const repeated = (list: string[]) => list.filter((entry, i) => list.indexOf(entry) !== i)

describe('the bundled catalog', () => {
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

  test('dates every release and gives it an address', () => {
    const earliest = Date.UTC(1990, 0) / 1000
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
    [
      'the address of the row',
      'argo-cd',
      'helm',
      '10.1.1',
      'https://github.com/argoproj/argo-helm/releases/download/argo-cd-10.1.1/argo-cd-10.1.1.tgz',
    ],
    ['the default template', 'argo-cd', 'app', 'v3.4.7', 'https://github.com/argoproj/argo-cd/releases/tag/v3.4.7'],
  ])('gives a release %s', (_, slug, type, version, url) => {
    const found = releases.find((one) => one.slug === slug && one.type === type && one.version === version)
    expect(found?.url).toBe(url)
  })

  test('says of every project how deep its history is', () => {
    expect(Object.keys(catalog.history)).toEqual(projects.map(({ slug }) => slug))
    const since = Object.values(catalog.history).map((history) => history!.complete_since)
    expect(since.every((day) => day === null || /^\d{4}-\d\d-\d\d$/.test(day))).toBe(true)
  })

  test('has a day of all releases that it knows, of apps and of each chart, and of nothing else', () => {
    const stated = projects.flatMap(({ slug }) => {
      const { known_until, charts = {} } = catalog.history[slug]!
      return [
        ...(known_until === null ? [] : [[slug, known_until]]),
        ...Object.entries(charts).map(([chart, known]) => [`${slug} ${chart}`, known.known_until]),
      ]
    })
    const known = Object.entries(catalog.releases).flatMap(([slug, own]) => [
      ...(own!.app ? [slug] : []),
      ...Object.keys(own!.helm ?? {}).map((chart) => `${slug} ${chart}`),
    ])
    expect(stated.map(([name]) => name).sort()).toEqual(known.sort())
    expect(stated.filter(([, day]) => !/^20\d\d-\d\d-\d\d$/.test(day!))).toEqual([])
    expect(Object.values(catalog.history).filter((history) => /\d{4}-\d\d-\d\d/.test(history!.basis))).toEqual([])
  })

  test('has advisories with ranges about known projects, each id of a project once', () => {
    const all = Object.entries(catalog.advisories).flatMap(([slug, told]) =>
      told!.advisories.map(([id, , severity, score, published, , affected]) => ({
        slug,
        id,
        severity,
        score,
        published,
        affected,
      })),
    )
    expect(repeated(all.map(({ slug, id }) => `${slug} ${id}`))).toEqual([])
    const slugs = new Set(projects.map(({ slug }) => slug))
    const wrong = all.filter(
      ({ slug, score, published, affected }) =>
        !slugs.has(slug) ||
        affected.length === 0 ||
        (published !== null && Number.isNaN(Date.parse(published))) ||
        (score !== null && !(score >= 0 && score <= 10)),
    )
    expect(wrong).toEqual([])
  })
})
