import { describe, expect, test } from 'vitest'
import { createReleaseBook } from '../../src/freshness/releases.ts'
import { judge } from '../../src/freshness/status.ts'
import { parseVersion } from '../../src/freshness/versions.ts'
import { argoCd, catalogFor, grafana, kubernetes, nginx, type ProjectFacts, redis } from './catalog.ts'

const weeks = (first: number, count: number, day: string) =>
  Array.from({ length: count }, (_, index) => `jenkins-2.${first + index} ${day}`)

const jenkins: ProjectFacts = {
  slug: 'jenkins',
  tagPattern: 'jenkins-(.*)',
  app: [
    ...weeks(556, 23, '2026-08-18'),
    'jenkins-2.568.2 2026-08-03',
    'jenkins-2.568.1',
    'jenkins-2.555.3',
    'jenkins-2.555.1',
    'jenkins-2.541.3',
  ],
}
const sonarqube: ProjectFacts = {
  slug: 'sonarqube',
  app: [
    '2026.4.1 2026-08-07',
    '2026.1.5 2026-08-07',
    '2026.3.1 2026-06-02',
    '2025.4.8 2026-07-26',
    '2025.1.8 2026-05-29',
    '2026.1.4 2026-07-26',
    '2026.4 2026-07-23',
    '26.2.0.119303 2026-03-04',
    '26.1.0.118079 2026-01-06',
    '25.12.0.117093 2025-12-23',
    '25.11.0.114957 2025-11-10',
  ],
}
const postgresql: ProjectFacts = {
  slug: 'postgresql',
  app: ['18.6', '17.11', '16.15', '15.19', '14.24', '18.4', '17.10', '16.14', '15.18', '13.23'],
}
const alpine: ProjectFacts = { slug: 'alpine', app: ['3.24.1', '3.24.0', '3.23.5', '3.22.5', '3.19.9', '3.19.8'] }
const minio: ProjectFacts = {
  slug: 'minio',
  tagPattern: 'RELEASE\\.(.*)',
  app: ['RELEASE.2025-10-15T17-29-55Z', 'RELEASE.2025-09-07T16-13-09Z', 'RELEASE.2024-12-18T13-15-44Z'],
}
const linkerd: ProjectFacts = {
  slug: 'linkerd',
  tagPattern: 'edge-(.*)',
  app: ['edge-26.8.3', 'edge-26.8.2', 'edge-25.12.3'],
}
const cilium: ProjectFacts = {
  slug: 'cilium',
  tagPattern: 'v(.*)',
  app: ['v1.20.1', 'v1.20.0', 'v1.19.7'],
  pre: ['v1.21.0-pre.0', 'v1.20.0-rc.1', 'v1.20.0-rc.0'],
}
const ingressNginx: ProjectFacts = {
  slug: 'ingress-nginx',
  tagPattern: 'controller-v(.*)',
  app: ['controller-v1.15.1', 'controller-v1.14.5', 'controller-v1.11.8'],
}
const jellyfin: ProjectFacts = { slug: 'jellyfin', app: ['10.11.4 2026-01-01', '10.11.3', '2021.12.16 2021-12-16'] }
const neo4j: ProjectFacts = {
  slug: 'neo4j',
  app: [
    '2026.07.1 2026-08-01',
    '2026.06.0 2026-06-01',
    '2025.12.1',
    '5.26.29 2026-08-20',
    '5.26.28',
    '5.26.1 2025-01-01',
  ],
}
const nexus: ProjectFacts = { slug: 'nexus', app: ['3.95.2-01', '3.95.1-01', '3.94.1-06'] }
const k3s: ProjectFacts = { slug: 'k3s', app: ['v1.36.3+k3s1', 'v1.36.2+k3s1', 'v1.33.4+k3s1'] }
const trino: ProjectFacts = { slug: 'trino', app: ['480', '479', '478', '477'] }
const wordpress: ProjectFacts = { slug: 'wordpress', app: ['7.1', '7.0.4', '7.0.3', '6.9.7', '6.9.6', '6.8.8'] }
const seaweedfs: ProjectFacts = { slug: 'seaweedfs', app: ['4.32', '4.31', '4.09', '4.00'] }
const awsForFluentBit: ProjectFacts = {
  slug: 'aws-for-fluent-bit',
  app: [
    'v3.4.1 2026-06-05',
    'v3.4.0 2026-05-29',
    'v3.3.2 2026-05-20',
    'v3.3.1 2026-05-13',
    'v3.3.0 2026-05-06',
    'v2.32.2.20240516 2024-07-12',
    'v2.32.2.20240425 2024-05-18',
    'v2.31.12.20231011 2023-10-13',
  ],
}

const projects = new Map(
  [
    nginx,
    redis,
    grafana,
    argoCd,
    kubernetes,
    jenkins,
    sonarqube,
    postgresql,
    alpine,
    minio,
    linkerd,
    cilium,
    ingressNginx,
    jellyfin,
    neo4j,
    nexus,
    k3s,
    trino,
    wordpress,
    seaweedfs,
    awsForFluentBit,
    { slug: 'kpt', pre: ['v1.0.0-beta.64'] },
  ].map((facts) => [facts.slug, facts]),
)

function judged(slug: string, text: string) {
  const { projects: known, releasesFor } = catalogFor(projects.get(slug)!)
  const book = createReleaseBook(releasesFor)
  const version = parseVersion(text, book.tagPattern(known[0]!))
  return judge(book.app(known[0]!), { ...version!, isTag: true })
}

describe('judge', () => {
  test.each<[string, string, string, string | null]>([
    ['nginx', '1.31.4', 'up_to_date', '1.31.4'],
    ['nginx', '1.27.3', 'minor_behind', '1.31.4'],
    ['nginx', 'v1.27.3', 'minor_behind', 'v1.31.4'],
    ['nginx', '1.27.3-alpine', 'minor_behind', '1.31.4'],
    ['nginx', '1.31.4-alpine3.20', 'up_to_date', '1.31.4'],
    ['nginx', '1.31.4-debian-12-r9', 'up_to_date', '1.31.4'],
    ['nginx', '2.0.0', 'unknown', '1.31.4'],
    ['nginx', '0.8.55', 'major_behind', '1.31.4'],
    ['redis', '7.2.4', 'major_behind', '8.10.1'],
    ['redis', '8.8.2-debian-12-r1', 'minor_behind', '8.10.1'],
    ['grafana', '13.0.1-security-01', 'minor_behind', '13.2.0'],
    ['grafana', '11.2.0', 'major_behind', '13.2.0'],
    ['argo-cd', 'v2.10.1', 'major_behind', 'v3.5.1'],
    ['argo-cd', 'v3.5.1', 'up_to_date', 'v3.5.1'],
    ['ingress-nginx', 'v1.11.2', 'minor_behind', 'v1.15.1'],
    ['ingress-nginx', 'controller-v1.11.2', 'minor_behind', 'controller-v1.15.1'],
    ['ingress-nginx', 'v1.15.1', 'up_to_date', 'v1.15.1'],
    ['kubernetes', 'v1.26.5-gke.2700', 'minor_behind', 'v1.36.4'],
    ['kubernetes', 'v1.36.4-eks-5e0fdde', 'up_to_date', 'v1.36.4'],
    ['kubernetes', 'v1.36.4+k3s1', 'up_to_date', 'v1.36.4'],
    ['k3s', 'v1.33.4-k3s1', 'minor_behind', 'v1.36.3-k3s1'],
    ['k3s', 'v1.36.3-k3s1', 'up_to_date', 'v1.36.3-k3s1'],
    ['k3s', 'v1.36.3-k3s2', 'up_to_date', 'v1.36.3-k3s1'],
    ['nexus', '3.95.2', 'up_to_date', '3.95.2-01'],
    ['nexus', '3.95.2-java17-ubi', 'up_to_date', '3.95.2-01'],
    ['nexus', '3.72.0', 'minor_behind', '3.95.2-01'],
    ['postgresql', '16.4', 'major_behind', '18.6'],
    ['postgresql', '16.4.0-debian-12-r3', 'major_behind', '18.6'],
    ['postgresql', '18.6.0-debian-12-r3', 'up_to_date', '18.6'],
    ['jenkins', '2.475-jdk21', 'minor_behind', '2.578'],
    ['jenkins', '2.462.2-lts-jdk17', 'minor_behind', '2.568.2'],
    ['jenkins', '2.568.2-lts', 'up_to_date', '2.568.2'],
    ['sonarqube', '25.11.0.114957-community', 'major_behind', '26.2.0.119303'],
    ['sonarqube', '26.2.0.119303', 'up_to_date', '26.2.0.119303'],
    ['sonarqube', '2026.1.4-developer', 'minor_behind', '2026.4.1'],
    ['sonarqube', '10.6.0-community', 'major_behind', '2026.4.1'],
    ['wordpress', '7.0.4-php8.2-fpm', 'minor_behind', '7.1'],
    ['wordpress', '6.9.7', 'major_behind', '7.1'],
    ['seaweedfs', '4.09', 'minor_behind', '4.32'],
    ['seaweedfs', '3.71_large_disk', 'major_behind', '4.32'],
    ['aws-for-fluent-bit', '2.32.2.20240516', 'major_behind', '3.4.1'],
    ['jellyfin', '2021.12.16', 'major_behind', '10.11.4'],
    ['jellyfin', '10.11.4', 'up_to_date', '10.11.4'],
    ['jellyfin', '10.10.7', 'minor_behind', '10.11.4'],
    ['neo4j', '5.26.29', 'major_behind', '2026.07.1'],
    ['neo4j', '2025.12.1-enterprise', 'major_behind', '2026.07.1'],
    ['neo4j', '2026.07.1', 'up_to_date', '2026.07.1'],
    ['minio', 'RELEASE.2025-10-15T17-29-55Z', 'up_to_date', 'RELEASE.2025-10-15T17-29-55Z'],
    ['minio', 'RELEASE.2025-09-07T16-13-09Z-cpuv1', 'minor_behind', 'RELEASE.2025-10-15T17-29-55Z'],
    ['minio', 'RELEASE.2024-12-18T13-15-44Z', 'major_behind', 'RELEASE.2025-10-15T17-29-55Z'],
    ['linkerd', 'edge-26.8.1', 'minor_behind', 'edge-26.8.3'],
    ['cilium', 'v1.20.0', 'minor_behind', 'v1.20.1'],
    ['cilium', 'v1.20.1', 'up_to_date', 'v1.20.1'],
    ['cilium', 'v1.20.0-rc.0', 'minor_behind', 'v1.20.1'],
    ['cilium', 'v1.21.0-alpha.1', 'minor_behind', 'v1.21.0-pre.0'],
    ['nginx', '1.31rc2', 'minor_behind', '1.31.4'],
    ['postgresql', '19beta1', 'unknown', '18.6'],
    ['postgresql', '18rc1', 'minor_behind', '18.6'],
    ['cilium', 'v1.21.0-pre.0', 'up_to_date', 'v1.21.0-pre.0'],
    ['trino', '400', 'major_behind', '480'],
    ['trino', '480', 'up_to_date', '480'],
  ])('%s %s is %s, the newest is %s', (slug, text, status, latest) => {
    expect(judged(slug, text)).toMatchObject({ status, latest, mode: 'exact' })
  })

  test.each<[string, string, string, string]>([
    ['alpine', '3.19', 'minor_behind', '3.24'],
    ['alpine', '3.24', 'up_to_date', '3.24'],
    ['alpine', '3', 'up_to_date', '3'],
    ['alpine', '3.25', 'unknown', '3.24'],
    ['nginx', '1.27-alpine3.20', 'minor_behind', '1.31'],
    ['nginx', '1', 'up_to_date', '1'],
    ['redis', '7', 'major_behind', '8'],
    ['redis', '7.2', 'major_behind', '8.10'],
    ['redis', '5', 'major_behind', '8'],
    ['argo-cd', 'v2', 'major_behind', 'v3'],
    ['postgresql', '16', 'major_behind', '18'],
    ['postgresql', '11-alpine', 'major_behind', '18'],
    ['jenkins', '2', 'up_to_date', '2'],
    ['sonarqube', '2026.1-developer', 'minor_behind', '2026.4'],
    ['sonarqube', '2025', 'major_behind', '2026'],
    ['minio', '2024.8.29-debian-12-r2', 'major_behind', '2025.10.15'],
    ['ingress-nginx', 'controller-v1.11', 'minor_behind', 'controller-v1.15'],
    ['kubernetes', 'v1.33', 'minor_behind', 'v1.36'],
  ])('%s %s is a line that is %s, the newest is %s', (slug, text, status, latest) => {
    expect(judged(slug, text)).toMatchObject({ status, latest, mode: 'line', daysBehind: null })
  })

  test.each<[string, string, string]>([
    ['nginx', '16', 'no release begins with 16, so it may be a build number'],
    ['nginx', '2024', 'its releases are counted in another way'],
    ['redis', '9', 'no release begins with 9, so it may be a build number'],
    ['redis', '0', 'no release begins with 0, so it may be a build number'],
    ['nginx', '1.31-dev', 'it is built from a branch'],
    ['kubernetes', 'v1.35-head', 'it is built from a branch'],
    ['alpine', '20240807', 'its releases are counted in another way'],
    ['nginx', '2027.1.1', 'its releases are counted in another way'],
    ['linkerd', 'stable-2.14.10', 'its releases have no tags like stable-…'],
    ['kpt', '0.39.3', 'the catalog has only pre-releases of it'],
  ])('%s %s is unknown: %s', (slug, text, evidence) => {
    expect(judged(slug, text)).toMatchObject({ status: 'unknown', mode: 'none', confidence: 0, evidence })
  })

  test('counts releases and days', () => {
    expect(judged('nginx', '1.27.4')).toMatchObject({ releasesBehind: 6, daysBehind: 560 })
    expect(judged('nginx', '1.27.2')).toMatchObject({ releasesBehind: 8, daysBehind: null })
    expect(judged('nginx', '1.31.4')).toMatchObject({ releasesBehind: 0, daysBehind: 0 })
    expect(judged('alpine', '3.19')).toMatchObject({ releasesBehind: 3 })
    expect(judged('cilium', 'v1.20.0-rc.0')).toMatchObject({ releasesBehind: 2 })
  })

  test('is less sure of what it had to assume', () => {
    const sureness = (slug: string, text: string) => judged(slug, text).confidence
    expect(sureness('nginx', '1.27.3')).toBe(1)
    expect(sureness('nginx', '1.27.3-alpine')).toBeLessThan(1)
    expect(sureness('postgresql', '16.4.0')).toBeLessThan(sureness('nginx', '1.27.3-alpine'))
    expect(sureness('nginx', '1.99.0')).toBe(0.5)
    expect(sureness('jellyfin', '2021.12.16')).toBe(0.6)
    expect(judged('nginx', '1.99.0').isAhead).toBe(true)
  })
})

describe('the last release that endoflife.date names of a line', () => {
  const app = ['v3.1.0', 'v3.0.0', 'v2.45.2', 'v2.45.1', 'v2.45.0', 'v2.44.0']
  const verdictFor = (text: string, latest: string) => {
    const catalog = catalogFor({ slug: 'prometheus', app })
    const list = createReleaseBook(catalog.releasesFor).app(catalog.projects[0]!)
    const cycle = { cycle: '2.45', date: null, is_eol: false, latest }
    return judge(list, parseVersion(text)!, ({ segments }) => (segments[1] === '45' ? cycle : undefined))
  }

  test('is one of the line where the catalog lacks it', () => {
    const { lastOfLine, latest, releasesBehind, evidence } = verdictFor('v2.45.0', '2.45.6')
    expect([lastOfLine?.version.text, latest, releasesBehind]).toEqual(['2.45.6', 'v3.1.0', 4])
    expect(evidence).toContain('endoflife.date names 2.45.6 as the last of 2.45')
    expect(verdictFor('v2.45.2', '2.45.6').lastOfLine?.version.text).toBe('2.45.6')
  })

  test.each([
    ['v2.45.0', '2.45.1'],
    ['v2.45.0', '2.46.0'],
    ['v2.45.0', '2.45.3-rc.1'],
    ['v2.45.6', '2.45.6'],
    ['v2.44.0', '2.45.6'],
  ])('is not counted for %s as %s', (text, latest) => {
    expect(verdictFor(text, latest).lastOfLine).toBeUndefined()
  })
})
