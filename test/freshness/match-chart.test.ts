import { describe, expect, test } from 'vitest'
import { type InstalledChart, matchChart } from '../../src/freshness/match-chart.ts'
import { argoCd, grafana, istio, knownOf, nginx, type ProjectFacts, redis } from './catalog.ts'

const minio: ProjectFacts = {
  slug: 'minio',
  name: 'MinIO',
  images: ['quay.io/minio/minio', 'docker.io/bitnami/minio'],
  charts: { minio: ['5.4.0', '5.3.0', '5.0.0'] },
  chartRepo: 'https://charts.min.io',
}
const harbor: ProjectFacts = {
  slug: 'harbor',
  images: ['docker.io/goharbor/harbor-core'],
  charts: { harbor: ['1.19.1', '1.14.3'] },
}
const velero: ProjectFacts = { slug: 'velero', charts: { velero: ['12.1.0', '10.0.10'] } }
const ownIstio = { ...istio, chartRepo: 'https://istio.example/charts' }
const known = knownOf(argoCd, redis, grafana, ownIstio, minio, harbor, velero, nginx, {
  slug: 'x',
  charts: { unlisted: [] },
})

function match(
  name: string,
  version: string,
  around: { places?: string[]; images?: [string | null, string][]; repositories?: string[] } = {},
) {
  const images = (around.images ?? []).map(([slug, repository]) => {
    return { project: slug === null ? undefined : known.index.bySlug(slug)[0], repository }
  })
  const chart: InstalledChart = {
    name,
    version,
    places: around.places ?? [],
    images,
    repositories: around.repositories ?? [],
  }
  return matchChart(chart, known)
}

describe('matchChart', () => {
  test.each([
    ['argo-cd', '9.5.21', 'argo-cd', 0.95],
    ['argo-cd', '9.6.0', 'argo-cd', 0.9],
    ['argo-cd', '7.3.4', 'argo-cd', 0.6],
    ['argo-cd', '11.0.0', 'argo-cd', 0.6],
    ['redis', '22.0.1', 'redis', 0.95],
    ['redis', '20.1.0', 'redis', 0.6],
    ['harbor', '1.15.0', 'harbor', 0.9],
    ['velero', '5.0.2', 'velero', 0.6],
    ['grafana', '8.5.1', 'grafana', 0.6],
    ['unlisted', '1.0.0', 'x', 0.6],
  ])('%s %s is of %s', (name, version, slug, confidence) => {
    expect(match(name, version)).toMatchObject({ project: { slug }, confidence })
  })

  test.each([
    ['redis', '1.0.0', 'redis is a chart of Redis, but 1.0.0 lies far outside its known versions'],
    ['redis', '42.0.0', 'redis is a chart of Redis, but 42.0.0 lies far outside its known versions'],
    ['harbor', '24.1.0', 'harbor is a chart of harbor, but 24.1.0 lies far outside its known versions'],
    ['minio', '14.7.0', 'minio is a chart of MinIO, but 14.7.0 lies far outside its known versions'],
    ['nginx', '1.0.0', 'nginx is a chart of NGINX, but 1.0.0 lies far outside its known versions'],
    ['redis', 'latest', 'redis is a chart of Redis, but its version cannot be read'],
    ['base', '1.29.6', 'base is a chart of Istio, but the name alone does not identify its publisher'],
    ['gateway', '1.29.6', 'gateway is a chart of Istio, but the name alone does not identify its publisher'],
    ['store-front', '1.0.0', 'No catalog project has a chart called store-front'],
  ])('%s %s is of nobody', (name, version, reason) => {
    expect(match(name, version)).toMatchObject({ project: undefined, confidence: 0, reason })
  })

  test('is surer when the images of the project came with the chart', () => {
    expect(match('argo-cd', '7.3.4', { images: [['argo-cd', 'quay.io/argoproj/argocd']] })).toMatchObject({
      confidence: 0.8,
      reason: 'argo-cd is a chart of Argo CD and its images came with it',
    })
  })

  test('is less sure when only other images came with it', () => {
    const { confidence, reason } = match('grafana', '10.5.14', { images: [[null, 'registry.corp/foo/bar']] })
    expect(confidence).toBeCloseTo(0.665)
    expect(reason).toBe('grafana is a chart of Grafana, though none of its images came with it')
  })

  test('tells the chart of another publisher by the images it installs', () => {
    const bitnami: [string, string][] = [['minio', 'docker.io/bitnami/minio']]
    expect(match('minio', '5.2.0', { images: [['minio', 'quay.io/minio/minio']] }).project?.slug).toBe('minio')
    expect(match('minio', '5.2.0', { images: bitnami })).toMatchObject({
      project: undefined,
      reason: 'minio is a chart of MinIO, but the images with it come from another publisher of charts',
    })
    expect(match('redis', '22.0.1', { images: [['redis', 'docker.io/bitnami/redis']] }).confidence).toBe(0.95)
  })

  test('tells the chart of another publisher by where it is from', () => {
    const of = (...repositories: string[]) => match('minio', '5.2.0', { repositories }).project?.slug
    expect(of('https://charts.min.io')).toBe('minio')
    expect(of('oci://mirror.example/charts')).toBe('minio')
    expect(of('oci://registry-1.docker.io/bitnamicharts')).toBeUndefined()
    const ofBitnami = knownOf({
      slug: 'cache',
      chartRepo: 'https://charts.bitnami.com/bitnami',
      charts: { cache: ['3.0.0'] },
    })
    const cache = (address: string) =>
      matchChart({ name: 'cache', version: '3.0.0', places: [], images: [], repositories: [address] }, ofBitnami)
        .project
    expect(cache('oci://registry-1.docker.io/bitnamicharts')).toBeDefined()
    expect(cache('https://cache.example/helm')).toBeUndefined()
  })

  test.each([
    [{ places: ['istio-base', 'istio-system'] }],
    [{ places: ['istio'] }],
    [{ images: [['istio', 'docker.io/istio/pilot']] as [string, string][] }],
    [{ repositories: ['https://istio.example/charts'] }],
  ])('takes a generic name where %j says so too', (around) => {
    expect(match('base', '1.29.6', around)).toMatchObject({ project: { slug: 'istio' } })
  })

  test('takes no generic name from another repository', () => {
    expect(match('base', '1.29.6', { repositories: ['https://shop.example/charts'] }).project).toBeUndefined()
  })

  test('of two projects with one chart name takes the one whose versions fit', () => {
    const facts = knownOf({ slug: 'a', charts: { gizmo: ['2.1.0'] } }, { slug: 'b', charts: { gizmo: ['30.1.0'] } })
    const chart = (version: string) =>
      matchChart({ name: 'gizmo', version, places: [], images: [], repositories: [] }, facts)
    expect(chart('30.1.0').project?.slug).toBe('b')
    expect(chart('2.0.0').project?.slug).toBe('a')
    expect(chart('2.0.0').candidates).toMatchObject([
      { name: 'a', matched_by: 'chart', taken: true, confidence: 0.9 },
      { name: 'b', matched_by: 'chart', taken: false, confidence: 0 },
    ])
    const same = knownOf({ slug: 'a', charts: { gizmo: ['2.1.0'] } }, { slug: 'b', charts: { gizmo: ['2.2.0'] } })
    expect(
      matchChart({ name: 'gizmo', version: '2.0.0', places: [], images: [], repositories: [] }, same).project,
    ).toBeUndefined()
  })
})
