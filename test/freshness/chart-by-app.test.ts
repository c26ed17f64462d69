import { expect, test } from 'vitest'
import { assessArtifacts, createJudge, toFound, toItems } from '../../src/freshness/index.ts'
import type { ChartArtifact } from '../../src/reports/artifact.ts'
import { knownOf, type ProjectFacts } from './catalog.ts'

const gitea: ProjectFacts = {
  slug: 'gitea',
  name: 'Gitea',
  charts: { gitea: [] },
  app: ['v1.26.2 2026-08-01', 'v1.26.1', 'v1.25.5', 'v1.24.0'],
}
const withReleases = { ...gitea, charts: { gitea: ['12.7.0', '12.6.0'] } }

function assess(appVersion: string | undefined, project = gitea) {
  const known = knownOf(project)
  const chart: ChartArtifact = {
    ...{ name: 'gitea', version: '12.6.0', release: 'gitea', namespace: 'a', workload: null },
    ...(appVersion !== undefined && { appVersion }),
  }
  const nothing = { images: [], apps: [], kubernetesVersion: null, imageSource: 'artifacts' as const }
  const assessed = assessArtifacts({ ...nothing, charts: [chart] }, known)
  return { known, one: assessed[0]!, item: toItems(assessed, known, false)[0]! }
}

test.each([
  ['1.25.5', 'minor_behind', 2, 'Look for a version of the chart gitea with Gitea 1.26.2.'],
  ['v1.26.2', 'up_to_date', 0, 'Nothing to do.'],
])('a chart without releases is judged by its app %s: %s', (appVersion, status, behind, advice) => {
  const { item } = assess(appVersion)
  expect(item).toMatchObject({
    ...{ status, releases_behind: behind, current_version: '12.6.0', upstream_version: appVersion },
    ...{ recommendation: advice, latest_version: null, global_latest_version: null },
    steps: { urgent: null, line: null, next: null, newest: null },
  })
  expect(item.reason).toContain('the catalog has no releases of the chart gitea; by its app: ')
})

test.each([
  ['nightly', 'nightly is not a version'],
  ['9.0.0', '9.0.0 is newer than the newest release in the catalog, 1.26.2'],
])('an app version %s decides nothing, and the reason says so', (appVersion, reason) => {
  const { item } = assess(appVersion)
  expect(item).toMatchObject({ status: 'unknown', states: [], latest_version: null })
  expect(item.reason).toContain(reason)
})

test('a chart with releases is judged by them, whatever its app', () => {
  for (const appVersion of [undefined, '1.24.0', '1.26.2', 'nightly']) {
    const { item } = assess(appVersion, withReleases)
    expect(item).toMatchObject({
      status: 'minor_behind',
      latest_version: '12.7.0',
      recommendation: 'Upgrade to 12.7.0.',
    })
    expect(item.upstream_version).toBeUndefined()
  }
})

test('a chart without releases that states no app version stays unknown', () => {
  const { item } = assess(undefined)
  expect(item).toMatchObject({
    status: 'unknown',
    recommendation: 'Follow the releases of the chart gitea at its publisher.',
  })
})

test('a stored chart is judged by its app as well', () => {
  const { known, one } = assess('1.25.5')
  const found = JSON.parse(JSON.stringify(toFound(one, 0)))
  const judged = createJudge(known)(found, one.match.project!)
  expect(judged.verdict).toEqual(one.verdict)
  const own = assess('1.25.5', withReleases)
  expect(toFound(own.one, 0)).not.toHaveProperty('upstreamVersion')
})
