import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bundledStateFacts } from '../../../src/catalog/state-facts.ts'
import type { ProjectFact, RepositoryFact } from '../../../src/contract/state-facts.ts'
import { firstDay, lastDay } from '../../../src/freshness/facts/day.ts'
import { releasesOfImage } from '../../../src/freshness/facts/fault-finder.ts'
import { isRetired } from '../../../src/freshness/facts/project-facts.ts'
import { RepositoryFacts } from '../../../src/freshness/facts/repository-facts.ts'
import { StateFacts } from '../../../src/freshness/facts/state-facts.ts'
import { readLine } from '../../../src/freshness/facts/version-line.ts'
import type { CatalogFacts } from '../../../src/freshness/prepare-catalog.ts'
import type { ReleaseList } from '../../../src/freshness/releases.ts'
import type { StepPlace } from '../../../src/freshness/steps/place.ts'
import { parseVersion } from '../../../src/freshness/versions.ts'

const facts = new StateFacts(bundledStateFacts())
const today = '2026-11-23'

test.each([
  ['2026-03-05', '2026-03-05', '2026-03-05'],
  ['2026-02', '2026-02-01', '2026-02-28'],
  ['2024-12', '2024-12-01', '2024-12-31'],
  ['2025', '2025-01-01', '2025-12-31'],
])('%s is from %s to %s', (partial, first, last) => {
  expect([firstDay(partial), lastDay(partial)]).toEqual([first, last])
})

test.each([
  ['<2', '1.76.0', true],
  ['<2', '2.0.0', false],
  ['>=3 <4', 'v3.18.2', true],
  ['>=3 <4', 'v4.0.0', false],
  ['>=7.4 <8', '7.2.6', false],
  ['<=8.5.1', '8.5.1', true],
  ['<=8.5.1', '21.4.0', false],
  ['=1.2.3', '1.2.3', true],
  ['1.2.3', '1.2.4', false],
  ['stable-2.*', 'stable-2.14.10', true],
  ['stable-2.*', 'edge-26.8.1', false],
  ['*', 'latest', true],
  ['<2', 'latest', false],
])('%s holds %s: %s', (line, tag, holds) => {
  expect(readLine(line)!(tag, parseVersion(tag))).toBe(holds)
})

test('a text that is no line is refused, and none takes long to match', () => {
  for (const text of ['', 'a b', '>=x', '(', 'a|b']) expect(readLine(text)).toBeUndefined()
  fc.assert(fc.property(fc.string(), fc.string(), (line, tag) => void readLine(line)?.(tag, parseVersion(tag))))
})

describe('a release that nobody should take', () => {
  const faultFor = (slug: string, tag: string) => facts.faultsOfProject(slug)?.(tag, parseVersion(tag))?.kind

  test.each([
    ['trivy', '0.69.4', 'malicious'],
    ['trivy', 'v0.69.4', 'malicious'],
    ['trivy', '0.69.4-amd64', 'malicious'],
    ['trivy', '0.69.3', undefined],
    ['etcd', 'v3.5.2', 'broken'],
    ['etcd', '3.5.2-debian-11-r5', 'broken'],
    ['etcd', '3.5.6', undefined],
    ['k3s', 'v1.26.0-k3s1', 'withdrawn'],
    ['k3s', 'v1.26.0-k3s2', undefined],
    ['redis', '7.4.2', undefined],
  ])('%s %s is %s', (slug, tag, kind) => {
    expect(faultFor(slug, tag)).toBe(kind)
  })

  test('is one of its image alone where the fact says so', () => {
    const manager = 'docker.io/longhornio/longhorn-manager'
    const of = (tag: string) => facts.faultsOfImage(manager)?.(tag, parseVersion(tag))?.kind
    expect([of('v1.11.0'), of('v1.11.0-hotfix-1'), of('v1.11.1')]).toEqual(['broken', undefined, undefined])
    expect(faultFor('longhorn', 'v1.11.0')).toBeUndefined()
  })

  test('is faulty among the releases of every image that has its fault, whatever was asked before', () => {
    const toImage = (name: string) => `docker.io/acme/${name}`
    const about = { kind: 'broken' as const, reason: 'It does not start.', source: 'https://acme.example/' }
    const versions: Record<string, string> = { web: '1.0.0', api: '1.1.0' }
    const faults = Object.entries(versions).map(([name, version]) => {
      return { ...about, image_repository: toImage(name), versions: [version] }
    })
    const known = { facts: new StateFacts({ projects: [], faults, repositories: [], rules: [] }) } as CatalogFacts
    const all = ['1.0.0', '1.1.0', '1.2.0'].map((text, id) => ({ id, version: parseVersion(text)!, isStable: true }))
    const list = { all, stable: all, newest: undefined, completeSince: 0 } as ReleaseList
    for (const names of [['web'], ['web', 'api'], ['api'], ['api', 'web'], ['other']]) {
      const place = { repositories: names.map(toImage) } as StepPlace
      const faulty = releasesOfImage(list, place, known).all.filter(({ fault }) => fault)
      expect(faulty.map(({ version }) => version.text).sort()).toEqual(
        names.flatMap((name) => versions[name] ?? []).sort(),
      )
    }
  })

  test.each([
    ['ceph', '20.2.0', 'broken', 'broken'],
    ['ceph', '20.2.1', undefined, 'broken'],
    ['ceph', '20.2.2', undefined, undefined],
    ['mongodb', '4.4.10', undefined, 'broken'],
    ['mongodb', '4.4.11', undefined, undefined],
    ['mongodb', '4.4.2', undefined, undefined],
    ['mysql', '8.4.2', undefined, undefined],
    ['trivy', '0.69.5', undefined, undefined],
  ])('%s %s is %s, and as a step %s until it is mended', (slug, tag, own, step) => {
    expect(faultFor(slug, tag)).toBe(own)
    expect(facts.faultsOfReleases(slug)?.(tag, parseVersion(tag))?.kind).toBe(step)
  })

  test('can be a range, and the worst of several is told', () => {
    const fault = { reason: 'r', source: 's', slug: 'x' }
    const own = new StateFacts({
      projects: [],
      repositories: [],
      rules: [],
      faults: [
        { ...fault, versions: '>=1 <2', kind: 'broken' },
        { ...fault, versions: ['1.5.0'], kind: 'malicious' },
      ],
    })
    const of = (text: string) => own.faultsOfProject('x')?.(text, parseVersion(text))?.kind
    expect([of('1.4.0'), of('1.5.0'), of('2.0.0')]).toEqual(['broken', 'malicious', undefined])
  })
})

describe('the place of a repository', () => {
  const placeFor = (address: string, chart?: string) => {
    const { address: at, facts: found } = facts.repositories.placeFor(address, today, chart)
    return [at, found.map(({ state }) => state).join()]
  }

  test.each([
    ['docker.io/library/redis', 'docker.io/library/redis', ''],
    ['docker.io/argoproj/argocd', 'quay.io/argoproj/argocd', 'moved'],
    ['docker.io/bitnami/redis', undefined, 'moved,frozen'],
    ['docker.io/bitnamilegacy/redis', undefined, 'frozen'],
    ['docker.io/bitnamisecure/redis', 'docker.io/bitnamisecure/redis', 'paid'],
    ['docker.io/minio/minio', undefined, 'closed,frozen'],
    ['k8s.gcr.io/pause', 'registry.k8s.io/pause', 'frozen'],
    ['k8s.gcr.io/ingress-nginx/controller', undefined, 'frozen,frozen'],
    ['docker.io/bitnamifoo/redis', 'docker.io/bitnamifoo/redis', ''],
  ])('of %s is %s by what is %s', (repository, address, states) => {
    expect(placeFor(repository)).toEqual([address, states])
  })

  test('of a chart is told by its own fact, else by its address', () => {
    expect(placeFor('https://grafana.github.io/helm-charts', 'promtail')).toEqual([undefined, 'frozen'])
    expect(placeFor('https://grafana.github.io/helm-charts', 'unheard-of')[1]).toBe('')
    expect(placeFor('https://charts.helm.sh/stable', 'unheard-of')).toEqual([undefined, 'frozen'])
  })

  test('counts from the day of the fact on', () => {
    expect(facts.repositories.placeFor('docker.io/bitnamilegacy/redis', '2025-08-01').facts).toEqual([])
  })

  test('is found whatever the facts say, even in a circle', () => {
    const names = fc.constantFrom('a', 'b', 'a/x', 'b/x', 'c')
    const fact = fc.record({
      repository: names,
      state: fc.constantFrom('moved', 'frozen', 'closed', 'paid'),
      moved_to: fc.option(names, { nil: undefined }),
      what: fc.constant('w'),
      source: fc.constant('s'),
    })
    fc.assert(
      fc.property(fc.array(fact), names, (list, name) => {
        const place = new RepositoryFacts(list as RepositoryFact[]).placeFor(name, today)
        expect(place.facts.length).toBeLessThan(9)
      }),
    )
  })
})

describe('a project', () => {
  const fact = (more: Partial<ProjectFact>): ProjectFact => ({
    name: 'x',
    state: 'retired',
    what: 'w',
    source: 's',
    ...more,
  })

  test.each<[Partial<ProjectFact>, boolean]>([
    [{ since: '2026-11-23' }, true],
    [{ since: '2026-12' }, false],
    [{ since: '2027-01-01', security_fixes_until: '2026-11-22' }, true],
    [{ state: 'maintenance' }, false],
    [{ state: 'maintenance', security_fixes_until: '2026-11-23' }, false],
    [{ state: 'maintenance', security_fixes_until: '2026-10' }, true],
    [{ state: 'superseded' }, true],
    [{ state: 'license_changed', since: '2024-01-01' }, false],
    [{ state: 'renamed' }, false],
  ])('with %j is retired: %s', (more, isOver) => {
    expect(isRetired(fact(more), today)).toBe(isOver)
  })

  const found = (subject: Partial<Parameters<typeof facts.projects.find>[0]>) =>
    facts.projects
      .find({ slug: undefined, repositories: [], chart: undefined, tag: null, version: undefined, ...subject })
      .map(({ name }) => name)

  test('is meant by its slug in its line only', () => {
    expect(found({ slug: 'jaeger', tag: '1.76.0', version: parseVersion('1.76.0') })).toEqual(['Jaeger v1'])
    expect(found({ slug: 'jaeger', tag: '2.20.0', version: parseVersion('2.20.0') })).toEqual([])
    expect(found({ slug: 'jaeger', tag: 'latest' })).toEqual([])
  })

  test('is meant by its images and charts where the catalog lacks it', () => {
    expect(found({ repositories: ['gcr.io/kaniko-project/executor'] })).toEqual(['kaniko'])
    expect(found({ chart: 'kiam' })).toEqual(['kiam'])
  })

  test("is not meant by another publisher's chart of the same name", () => {
    const version = parseVersion('21.4.0')
    expect(found({ chart: 'elasticsearch', tag: '21.4.0', version })).toEqual([])
    expect(found({ chart: 'kubernetes-dashboard', slug: 'other' })).toEqual([])
  })
})
