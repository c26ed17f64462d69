import { describe, expect, test } from 'vitest'
import { ask, toWays, way } from '../ask.ts'

describe('the one step', () => {
  test.each<[what: string, urgent: string, line: string, next: string, newest: string]>([
    ['redis:7.4.2', '7.4.9', '7.4.11', '8.2.9', '8.10.1'],
    ['aquasec/trivy:0.69.3', '-', '-', '0.70.0', '0.74.0'],
    ['aquasec/trivy:0.69.4', '0.70.0', '-', '0.70.0', '0.74.0'],
    ['node:22.22.2', '-', '22.23.2', '24.19.0', '26.7.0'],
    ['postgres:16.1-alpine', '16.14', '16.15', '17.11', '18.6'],
    ['nginx:1.27', '1.30', '-', '1.30', '1.31'],
    ['chart kured 4.7.0', '-', '-', '5.0.0', '5.11.0'],
  ])('from %s: urgent %s, line %s, next %s, newest %s', (what, ...versions) => {
    expect(toWays(ask(what))).toEqual(versions)
  })

  test('says what the urgent one leaves, and where that ends', () => {
    const { steps, fixed_in, fixed_in_line, same_line_version, recommendation } = ask('redis:7.4.2')
    const { urgent, clean } = steps!
    expect(urgent!.fixes).toMatchObject({ critical: 2, high: 8, medium: 1 })
    expect(urgent!.leaves).toMatchObject({ critical: 0, high: 0, low: 1 })
    expect([clean!.version, fixed_in, fixed_in_line, same_line_version]).toEqual(['8.2.6', '8.2.6', null, '7.4.11'])
    expect(recommendation).toContain(
      'Upgrade to 7.4.9 now: it fixes 2 critical, 8 high, 1 medium; 1 low stays until 8.2.6.',
    )
  })

  test('stops at every minor version of Kubernetes', () => {
    const { steps } = ask('kubernetes v1.31.2')
    expect(way(steps!.next)).toBe('v1.32.13, v1.33.13, v1.34.11, v1.35.8')
    expect(way(steps!.newest)).toBe('v1.32.13, v1.33.13, v1.34.11, v1.35.8, v1.36.4')
  })

  test.each([
    ['chart crossplane 1.18.0', /^1\.19\.\d+, 1\.20\.\d+, /],
    ['quay.io/prometheus/prometheus:v2.50.0', /^v2\.55\.\d+, v3/],
    ['quay.io/keycloak/keycloak:24.0.5', /^25\.0\.\d+, 26/],
    ['rook/ceph:v1.13.0', /^v1\.14\.\d+, v1\.15\.\d+, v1\.16\.\d+, v1\.17\.\d+, v1\.18\.\d+, /],
    ['traefik:v2.9.6', /^v2\.11\.\d+, v3/],
    [
      'longhornio/longhorn-engine:v1.4.0',
      /^v1\.5\.\d+, v1\.6\.\d+, v1\.7\.\d+, v1\.8\.\d+, v1\.9\.\d+, v1\.10\.\d+, v1\.11\./,
    ],
    ['goharbor/harbor-core:v2.8.0', /^v2\.11\.\d+, v2\.14\.\d+, v2\.15/],
  ])('from %s goes by the stops of its project', (what, stops) => {
    expect(way(ask(what).steps!.newest)).toMatch(stops)
  })

  test('says what must be done by hand on the way', () => {
    expect(ask('rook/ceph:v1.15.0').steps!.newest!.because).toContain('At 1.16: Ceph must reach 18 before Rook 1.16.')
  })

  test('never leads to a release that attackers planted, and out of it first of all', () => {
    const item = ask('aquasec/trivy:0.69.4')
    expect(item).toMatchObject({ status: 'minor_behind', states: ['compromised'] })
    expect(item.recommendation).toMatch(
      /^Stop it now, and change every secret that it could read: .* Upgrade to 0\.70\.0 now/,
    )
    expect(item.steps!.urgent).toMatchObject({ fixes: { critical: 1, exploited: 1 } })
  })

  test('out of a planted tag that the project never released is by the advisory about it', () => {
    const item = ask('mirror.gcr.io/aquasec/trivy:0.69.6')
    expect(item.advisories.map(({ id }) => id)).toContain('CVE-2026-33634')
    expect(item.steps!.urgent).toMatchObject({ version: '0.70.0', fixes: { critical: 1, exploited: 1 } })
  })

  test.each([
    ['jenkins/jenkins:lts-jdk17', 'Pin a version: the newest of Jenkins is 2.568.2.'],
    ['jenkins/jenkins:latest', 'Pin a version: the newest of Jenkins is 2.578.'],
  ])('of %s, which states no version, is of the line that it names', (what, advice) => {
    expect(ask(what).recommendation).toBe(advice)
  })

  test('leads out of a bad release to one that is mended', () => {
    expect(way(ask('quay.io/ceph/ceph:v20.2.0').steps!.urgent)).toBe('v20.2.2')
  })

  test('is named at the new place, with the tag of the same kind', () => {
    expect(ask('argoproj/argocd:v2.8.0').steps!.line!.image).toBe('quay.io/argoproj/argocd:v2.8.21')
    expect(ask('k8s.gcr.io/pause:3.5').steps!.newest!.image).toBe('registry.k8s.io/pause:3.10.2')
    expect(ask('postgres:16.1-alpine').steps!.line!.image).toBe('docker.io/library/postgres:16.15-alpine')
    expect(ask('registry.corp.example/proxy/quay.io/argoproj/argocd:v3.1.0').steps!.newest!.image).toBe(
      'registry.corp.example/proxy/quay.io/argoproj/argocd:v3.5.1',
    )
    // A vendor counts its rebuilds as it likes.
    expect(ask('public.ecr.aws/eks-distro/coredns/coredns:v1.11.3-eks-1-30-5').steps!.newest).not.toHaveProperty(
      'image',
    )
  })

  test.each([
    [
      'bitnamilegacy/postgresql:16.1.0-debian-11-r5',
      ['frozen'],
      'other images of PostgreSQL: docker.io/library/postgres',
    ],
    ['bitnami/redis:7.2.4', ['moved', 'frozen'], 'other images of Redis: docker.io/library/redis'],
    [
      'quay.io/minio/minio:RELEASE.2023-03-13T19-46-17Z',
      ['retired', 'frozen'],
      'no new version comes to quay.io/minio/minio',
    ],
    ['grafana/promtail:2.9.0', ['retired', 'frozen'], 'no new version comes to docker.io/grafana/promtail'],
  ])('is none for %s, with the reason', (what, states, reason) => {
    const item = ask(what)
    expect(item.states).toEqual(states)
    expect(toWays(item)).toEqual(['-', '-', '-', '-'])
    expect(item.step_reasons!.join('; ')).toContain(reason)
  })
})

describe('what runs', () => {
  test('is retired and green nowhere, though it is the newest', () => {
    const item = ask('registry.k8s.io/ingress-nginx/controller:v1.15.1')
    expect(item).toMatchObject({ status: 'up_to_date', states: ['retired', 'frozen'] })
    expect(item.recommendation).toMatch(/^Replace it: .* Its successor is gateway-api\./)
  })

  test('above all that is known is unknown, not current', () => {
    const item = ask('quay.io/argoproj/argocd:v9.9.9')
    expect(item).toMatchObject({ status: 'unknown', states: ['above_known'] })
    expect(item.recommendation).toContain('whether it is current is unknown')
  })

  test('is told to be a bad release of the distribution that a version of Kubernetes names', () => {
    expect(ask('kubernetes v1.26.0+k3s1').states).toContain('withdrawn')
    expect(ask('kubernetes v1.26.0+k3s2').states).not.toContain('withdrawn')
    expect(ask('kubernetes v1.26.0+rke2r1').states).toContain('withdrawn')
  })

  test.each([
    ['debian:buster-slim', 'Debian 10'],
    ['ubuntu:bionic-20230301', 'Ubuntu 18.04'],
    ['centos:7', 'CentOS Linux 7'],
  ])('%s is out of support with %s', (what, cycle) => {
    const item = ask(what)
    expect(item.states).toContain('unsupported')
    expect(item.recommendation).toContain(`Support of ${cycle}`)
  })

  test('of a project without releases is known all the same', () => {
    expect(ask('openjdk:8-jre')).toMatchObject({ status: 'unknown', states: ['retired', 'frozen'] })
    expect(ask('openjdk:8-jre').reason).toContain('known, no releases')
  })

  test('has notes about changes of license and names, and no state for them', () => {
    expect(ask('redis:7.4.2')).toMatchObject({
      states: [],
      notes: [{ kind: 'license_changed', successors: ['valkey'] }],
    })
    expect(ask('redis:7.2.4').notes).toBeUndefined()
  })
})

describe('an advisory', () => {
  const affects = (what: string, id: string) => ask(what).advisories.some((advisory) => advisory.id === id)

  test.each([
    ['jenkins/jenkins:2.442', 'CVE-2024-23897', false],
    ['jenkins/jenkins:2.440.1-lts', 'CVE-2024-23897', false],
    ['jenkins/jenkins:2.426.3-lts', 'CVE-2024-23897', false],
    ['jenkins/jenkins:2.426.2-lts', 'CVE-2024-23897', true],
    ['jenkins/jenkins:2.441', 'CVE-2024-23897', true],
    ['envoyproxy/envoy:v1.27.1', 'CVE-2023-44487', false],
    ['envoyproxy/envoy:v1.26.5', 'CVE-2023-44487', false],
    ['envoyproxy/envoy:v1.27.0', 'CVE-2023-44487', true],
    ['fluent/fluent-bit:2.2.3', 'CVE-2024-4323', false],
    ['fluent/fluent-bit:2.2.2', 'CVE-2024-4323', true],
  ])('about %s: %s affects it: %s', (what, id, isAffected) => {
    expect(affects(what, id)).toBe(isAffected)
  })

  test('is known to be exploited', () => {
    const { advisories } = ask('jenkins/jenkins:2.441')
    expect(advisories.find(({ id }) => id === 'CVE-2024-23897')!.exploited).toEqual({
      since: '2024-08-19',
      due: '2024-09-09',
      ransomware: true,
    })
    expect(advisories.find(({ id }) => id !== 'CVE-2024-23897')!.exploited).toBeNull()
  })

  test('names a fix that the catalog lacks, and none that does not exist', () => {
    const fixes = ask('quay.io/minio/minio:RELEASE.2023-03-13T19-46-17Z').advisories.map(({ fixed_in }) => fixed_in)
    expect(fixes.filter((fix) => fix?.includes('T00-00-00Z'))).toEqual([])
  })

  test('is not known of a project of which only some are', () => {
    expect(ask('quay.io/keycloak/keycloak:26.7.2').advisories_count).toBeNull()
    expect(ask('quay.io/keycloak/keycloak:20.0.0').advisories_count).toBeGreaterThan(0)
  })
})
