import { describe, expect, test } from 'vitest'
import type { KnownAdvisory } from '../../src/freshness/affected.ts'
import { CoverageCount } from '../../src/freshness/coverage.ts'
import { assessArtifacts, prepareCatalog } from '../../src/freshness/index.ts'
import type { Artifacts } from '../../src/reports/artifact.ts'
import { assessFreshness } from './assess-freshness.ts'
import { catalogFor, now, type ProjectFacts } from './catalog.ts'

const day = (text: string) => Date.parse(text) / 1000
const prometheus: ProjectFacts = {
  slug: 'prometheus',
  name: 'Prometheus',
  images: ['docker.io/prom/prometheus'],
  charts: { prometheus: ['27.0.0', '26.0.0'] },
  app: ['v3.1.0', 'v3.0.1', 'v3.0.0', 'v2.46.1', 'v2.46.0', 'v2.45.6', 'v2.45.5', 'v2.45.0', 'v2.44.1', 'v2.44.0'],
  pre: ['v2.45.1-rc.0', 'v2.47.0-rc.0'],
}

function advisory(id: string, ranges: [string, string | null][], more: Partial<KnownAdvisory> = {}): KnownAdvisory {
  const ends = ranges.map(([introduced, fixed]) => ({ introduced, fixed, last_affected: null }))
  return { id, aliases: [], severity: 'high', score: 7.5, publishedAt: day('2026-01-10'), ranges: ends, ...more }
}

function artifactsFor(...references: string[]): Artifacts {
  const place = { namespace: 'shop', workload: null, helmChart: null, helmRelease: null }
  const images = references.map((reference) => ({ reference, ...place }))
  return { images, charts: [], apps: [], kubernetesVersion: null, imageSource: 'artifacts' }
}

function toItem(reference: string, advisories: KnownAdvisory[], facts: Partial<ProjectFacts> = {}) {
  const [item] = assessFreshness(artifactsFor(reference), catalogFor({ ...prometheus, ...facts, advisories }), { now })
  return item!
}

describe('the smallest step out of advisories', () => {
  test('is the first version of the same line without any', () => {
    const item = toItem('prom/prometheus:v2.45.0', [
      advisory('CVE-2026-1', [['0', '2.45.5']]),
      advisory('CVE-2026-2', [['2.45.0', '2.45.6']], { severity: 'critical', score: 9.8 }),
    ])
    expect(item).toMatchObject({
      source_product_slug: 'prometheus',
      advisories: [
        { id: 'CVE-2026-2', severity: 'critical', score: 9.8, published: '2026-01-10', fixed_in: '2.45.6' },
        { id: 'CVE-2026-1', fixed_in: '2.45.5' },
      ],
      advisories_count: 2,
      highest_advisory_severity: 'critical',
      advisories_undecided: 0,
      fixed_in_line: 'v2.45.6',
      fixed_in: 'v2.45.6',
    })
  })

  test('is the first of the next line that has one where the line has none', () => {
    const item = toItem('prom/prometheus:v2.45.0', [advisory('CVE-2026-1', [['0', '2.46.1']])])
    expect(item).toMatchObject({ fixed_in_line: null, fixed_in: 'v2.46.1' })
  })

  test('leaves out a version that another advisory affects, or may affect', () => {
    const item = toItem('prom/prometheus:v2.45.0', [
      advisory('CVE-2026-1', [['0', '2.45.5']]),
      advisory('CVE-2026-2', [['2.45.5', '2.45.6']]),
      advisory('CVE-2026-3', [['2.45.6', '2.45.6-2']]),
    ])
    expect(item).toMatchObject({ advisories_count: 1, fixed_in_line: null, fixed_in: 'v2.46.0' })
  })

  test('is none yet where every later release is affected', () => {
    const item = toItem('prom/prometheus:v2.45.0', [advisory('CVE-2026-1', [['0', null]])])
    expect(item).toMatchObject({ advisories_count: 1, fixed_in_line: null, fixed_in: null })
    expect(item.advisories[0]).toMatchObject({ fixed_in: null })
  })

  test('needs none where nothing affects the version', () => {
    const item = toItem('prom/prometheus:v2.45.6', [advisory('CVE-2026-1', [['0', '2.45.5']])])
    expect(item).toMatchObject({
      advisories: [],
      advisories_count: 0,
      highest_advisory_severity: 'none',
      fixed_in_line: null,
      fixed_in: null,
    })
  })

  test('is a release, and no pre-release', () => {
    const item = toItem('prom/prometheus:v2.45.0', [advisory('CVE-2026-1', [['0', '2.45.1-rc.0']])])
    expect(item).toMatchObject({ fixed_in_line: 'v2.45.5' })
  })
})

describe('advisories of what runs', () => {
  const old = [advisory('CVE-2026-1', [['0', '2.45.5']], { severity: null, score: null })]

  test('are not known of a project about which nobody has told', () => {
    const [item] = assessFreshness(artifactsFor('prom/prometheus:v2.45.0'), catalogFor(prometheus), { now })
    expect(item).toMatchObject({ advisories: [], advisories_count: null, highest_advisory_severity: null })
  })

  test('are none of a project that has been asked about and has none', () => {
    expect(toItem('prom/prometheus:v2.45.0', [])).toMatchObject({
      advisories_count: 0,
      highest_advisory_severity: 'none',
    })
  })

  test.each(['prom/prometheus', 'prom/prometheus:9799770991', 'prom/prometheus:20240101', 'prom/prometheus:2.45-dev'])(
    'are not known of %s, whose tag does not tell a version',
    (reference) => {
      expect(toItem(reference, old)).toMatchObject({ advisories_count: null, highest_advisory_severity: null })
    },
  )

  test('are undecided where only the patch release of a floating tag could tell', () => {
    expect(toItem('prom/prometheus:v2.45', old)).toMatchObject({ advisories_count: 0, advisories_undecided: 1 })
    expect(toItem('prom/prometheus:v2.44', old)).toMatchObject({ advisories_count: 1, advisories_undecided: 0 })
  })

  test('are listed with the reason where they are undecided, if that is asked for', () => {
    const catalog = catalogFor({ ...prometheus, advisories: old })
    const explained = (reference: string, explain: boolean) =>
      assessFreshness(artifactsFor(reference), catalog, { now, explain })[0]!.undecided_advisories
    expect(explained('prom/prometheus:v2.45', true)).toEqual([
      { id: 'CVE-2026-1', aliases: [], severity: null, reason: expect.stringMatching(/\w{3}/) },
    ])
    expect(explained('prom/prometheus:v2.45', false)).toBeUndefined()
    expect(explained('prom/prometheus:v2.44', true)).toBeUndefined()
  })

  test('have no worst where nobody rates them', () => {
    expect(toItem('prom/prometheus:v2.45.0', old)).toMatchObject({
      advisories_count: 1,
      highest_advisory_severity: null,
    })
  })

  test('are compared where the catalog has no release of the project', () => {
    expect(toItem('prom/prometheus:v2.45.0', old, { app: [], pre: [] })).toMatchObject({
      status: 'unknown',
      advisories_count: 1,
      fixed_in: null,
    })
    expect(toItem('prom/prometheus:v2.45', old, { app: [], pre: [] })).toMatchObject({ advisories_undecided: 1 })
  })

  test('are not asked of the version of a chart', () => {
    const charts = [{ name: 'prometheus', version: '26.0.0', release: null, namespace: 'shop', workload: null }]
    const catalog = catalogFor({ ...prometheus, advisories: [advisory('CVE-2026-1', [['0', null]])] })
    const [item] = assessFreshness({ ...artifactsFor(), charts }, catalog, { now })
    expect(item).toMatchObject({ artifact_type: 'helm_chart', source_product_id: 1, advisories_count: null })
  })

  test('show their ranges only when asked for', () => {
    const catalog = catalogFor({ ...prometheus, advisories: old })
    const ranges = (explain: boolean) =>
      assessFreshness(artifactsFor('prom/prometheus:v2.45.0'), catalog, { now, explain })[0]!.advisories[0]!.ranges
    expect(ranges(true)).toEqual([{ introduced: '0', fixed: '2.45.5', last_affected: null }])
    expect(ranges(false)).toBeUndefined()
  })

  test('are counted by artifact, with the day of the facts', () => {
    const catalog = catalogFor({ ...prometheus, advisories: old }, { slug: 'own', images: ['docker.io/acme/own'] })
    catalog.projects[0]!.advisoriesAsOf = '2026-08-01'
    const artifacts = artifactsFor(
      'prom/prometheus:v2.45.0',
      'prom/prometheus:v2.44.0',
      'acme/own:1.0.0',
      'x.example/y:1',
    )
    const known = prepareCatalog(catalog, now)
    expect(new CoverageCount().add(assessArtifacts(artifacts, known)).result()).toMatchObject({
      artifacts: 4,
      advisories_known: 2,
      advisory_facts_at: '2026-08-01',
    })
  })
})

describe('advisories that are complete since a day', () => {
  const app = ['3.0.0 2026-01-01', '2.0.0 2024-01-01', '1.0.0 2020-01-01']
  const toCount = (tag: string, advisoriesSince: string | null, ranges: [string, string | null][] = []) => {
    const facts = { slug: 'x', images: ['docker.io/a/x'], app, advisories: [advisory('CVE-2026-1', ranges)] }
    const catalog = catalogFor(facts)
    const projects = catalog.projects.map((project) => ({ ...project, advisoriesSince }))
    const [item] = assessFreshness(artifactsFor(`a/x:${tag}`), { ...catalog, projects }, { now })
    return item!.advisories_count
  }
  const other: [string, string | null][] = [['9.0.0', '9.1.0']]

  test.each([
    ['2.0.0', '2023-01-01', 0],
    ['1.0.0', '2023-01-01', null],
    ['1.5.0', '2023-01-01', null],
    ['0.9.0', '2023-01-01', null],
    ['3.0.0', null, null],
  ])('say of %s, where they are complete since %s, that %s affect it', (tag, since, count) => {
    expect(toCount(tag, since, other)).toBe(count)
  })

  test('are told of an older version that one of them affects', () => {
    expect(toCount('1.0.0', '2023-01-01', [['0', '2.0.0']])).toBe(1)
    expect(toCount('1.0.0', null, [['0', '2.0.0']])).toBe(1)
  })
})
