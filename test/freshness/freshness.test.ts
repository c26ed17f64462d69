import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FreshnessItem } from '../../src/contract/freshness.ts'
import { assessArtifacts, prepareCatalog, toItems } from '../../src/freshness/index.ts'
import type { AppArtifact, Artifacts, ChartArtifact, ImageArtifact } from '../../src/reports/artifact.ts'
import { growthOf } from '../helpers/growth.ts'
import { assessFreshness } from './assess-freshness.ts'
import { argoCd, catalogFor, grafana, istio, kubernetes, nginx, now, redis } from './catalog.ts'

const catalog = catalogFor(nginx, argoCd, grafana, redis, istio, kubernetes, {
  slug: 'empty',
  images: ['docker.io/acme/empty'],
})

const image = (reference: string, more: Partial<ImageArtifact> = {}): ImageArtifact => {
  return { reference, namespace: 'shop', workload: 'deployment/web', helmChart: null, helmRelease: null, ...more }
}
const chart = (name: string, version: string, more: Partial<ChartArtifact> = {}): ChartArtifact => {
  return { name, version, release: null, namespace: 'shop', workload: null, ...more }
}
const app = (name: string, version: string, namespace: string | null = 'shop'): AppArtifact => ({
  name,
  version,
  namespace,
})

function assess(artifacts: Partial<Artifacts>, options: { explain?: boolean; now?: number } = {}) {
  const nothing = { images: [], charts: [], apps: [], kubernetesVersion: null, imageSource: 'artifacts' as const }
  return assessFreshness({ ...nothing, ...artifacts }, catalog, { now, ...options })
}
const none = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0, exploited: 0 }
/** Where no advisories are known. */
const stepTo = (version: string) => ({
  version,
  image: `docker.io/library/nginx:${version}-alpine`,
  via: [],
  fixes: none,
  leaves: none,
  gains: [],
  because: [],
})
const assessImage = (reference: string) => assess({ images: [image(reference)] })[0]!

describe('assessFreshness', () => {
  test('tells all there is to say of an image', () => {
    expect(assess({ images: [image('nginx:1.27.3-alpine')] })).toEqual([
      {
        artifact_type: 'image',
        artifact_key: 'docker.io/library/nginx:1.27.3-alpine',
        display_name: 'nginx:1.27.3-alpine',
        short_name: 'nginx',
        namespace: 'shop',
        workloads: ['shop/deployment/web'],
        source: 'artifacts',
        source_product_id: 1,
        source_product_slug: 'nginx',
        is_monitored: true,
        current_version: '1.27.3-alpine',
        latest_version: '1.31.4',
        global_latest_version: '1.31.4',
        same_line_version: '1.27.5',
        status: 'minor_behind',
        confidence: 0.93,
        reason: 'docker.io/library/nginx is a repository of NGINX; 1.27.3-alpine < 1.31.4.',
        recommendation:
          'Upgrade to 1.30.4 first; the newest is 1.31.4. Look for a tag like 1.30.4-alpine. Support of NGINX 1.27 ended on 2025-06-24.',
        compare_mode: 'exact',
        inherited_from_helm: false,
        releases_behind: 7,
        days_behind: 631,
        security_fixes_between: 2,
        highest_severity_between: 'high',
        security_facts: false,
        advisories: [],
        advisories_count: null,
        highest_advisory_severity: null,
        advisories_exploited: 0,
        advisories_undecided: 0,
        exploited_undecided: 0,
        highest_undecided_severity: 'none',
        fixed_in_line: null,
        fixed_in: null,
        steps: {
          urgent: null,
          clean: null,
          line: {
            ...stepTo('1.27.5'),
            out_of_support: { cycle: '1.27', date: '2025-06-24', is_eol: true, is_lts: false, name: 'NGINX 1.27' },
          },
          next: stepTo('1.30.4'),
          newest: stepTo('1.31.4'),
        },
        step_reasons: [],
        states: ['unsupported'],
        facts: [
          {
            state: 'unsupported',
            since: '2025-06-24',
            source: null,
            successors: [],
            what: 'Support of NGINX 1.27 ended on 2025-06-24.',
          },
        ],
        catalog_date: '2026-08-22',
        eol: { cycle: '1.27', date: '2025-06-24', is_eol: true, is_lts: false },
      },
    ])
  })

  test('makes one item of one reference, however it is written and wherever it runs', () => {
    const items = assess({
      images: [
        image('nginx:1.27.3'),
        image('docker.io/library/nginx:1.27.3', { namespace: 'blog', workload: 'deployment/blog' }),
        image('nginx:1.27.3', { workload: 'cronjob/clean' }),
        image('nginx:1.27.3'),
      ],
    })
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      namespace: null,
      workloads: ['blog/deployment/blog', 'shop/cronjob/clean', 'shop/deployment/web'],
    })
  })

  test.each([
    ['nginx', 'latest', 'docker.io/library/nginx is a repository of NGINX; the tag latest states no version.'],
    ['nginx:stable', 'stable', 'docker.io/library/nginx is a repository of NGINX; the tag stable states no version.'],
    [
      `nginx@sha256:${'a'.repeat(64)}`,
      null,
      'docker.io/library/nginx is a repository of NGINX; a digest alone states no version.',
    ],
    [
      'acme/empty:1.2.3',
      '1.2.3',
      'docker.io/acme/empty is a repository of empty; known, no releases: the catalog has none of empty.',
    ],
    ['registry.shop.example/shop/web:1.2.3', '1.2.3', 'No catalog project publishes registry.shop.example/shop/web.'],
    ['_not an image_', null, 'This is not an image reference.'],
  ])('%s is unknown', (reference, current, reason) => {
    expect(assessImage(reference)).toMatchObject({
      status: 'unknown',
      confidence: 0,
      compare_mode: 'none',
      current_version: current,
      latest_version: null,
      releases_behind: null,
      reason,
    })
  })

  test('names the project of an unknown version, and its newest release', () => {
    expect(assessImage('nginx')).toMatchObject({
      source_product_id: 1,
      is_monitored: true,
      global_latest_version: '1.31.4',
      recommendation: 'Pin a version: the newest of NGINX is 1.31.4.',
    })
    expect(assessImage('acme/empty:1.2.3')).toMatchObject({ source_product_id: 7, is_monitored: false })
  })

  test.each([
    ['nginx:1.31.4', 'Nothing to do.'],
    ['nginx:1', 'Nothing to do; pin a full version to know what runs.'],
    [
      'nginx:1.99.0',
      'It is newer than 1.31.4, the newest in the catalog of 2026-08-22: whether it is current is unknown.',
    ],
    [
      'nginx:1.27-alpine',
      'Move to the line 1.30 first; the newest is 1.31. Look for a tag like 1.30-alpine. Support of NGINX 1.27 ended on 2025-06-24.',
    ],
    ['nginx:1.31.3', 'Upgrade to 1.31.4.'],
    ['redis:7.2.4', 'Upgrade to 7.2.16 first; the newest is 8.10.1.'],
    ['redis:7.0.15', 'Upgrade to 7.2.16 first; the newest is 8.10.1. Support of Redis 7.0 ended on 2024-07-29.'],
    ['redis:3.0.1', 'Plan the upgrade to 8.10.1.'],
    ['registry.shop.example/shop/web:1.2.3', 'Follow its releases at its publisher.'],
    ['nginx:2027.1.1', 'Compare by hand: the newest of NGINX is 1.31.4.'],
  ])('%s: %s', (reference, recommendation) => {
    expect(assessImage(reference).recommendation).toBe(recommendation)
  })

  test('writes versions for images as tags', () => {
    const facts = { slug: 'k3s', images: ['docker.io/rancher/k3s'], app: ['v1.34.3+k3s1', 'v1.33.4+k3s1'] }
    const artifacts = { images: [image('rancher/k3s:v1.33.4-k3s1')], charts: [], apps: [], kubernetesVersion: null }
    const [item] = assessFreshness({ ...artifacts, imageSource: 'findings' }, catalogFor(facts), { now })
    expect(item).toMatchObject({
      latest_version: 'v1.34.3-k3s1',
      global_latest_version: 'v1.34.3-k3s1',
      recommendation: 'Upgrade to v1.34.3-k3s1.',
      source: 'findings',
    })
  })

  test('leaves the version of an image to the chart that installs it', () => {
    const more = { namespace: 'argo', helmRelease: 'argo' }
    const items = assess({
      images: [
        image('quay.io/argoproj/argocd:v3.2.0', { ...more, helmChart: 'argo-cd' }),
        image('redis:7.2.4', { ...more, helmChart: 'argo-cd-7.3.4' }),
        image('nginx:1.27.3', { helmChart: 'gone' }),
      ],
      charts: [chart('argo-cd', '7.3.4', { namespace: 'argo', release: 'argo' })],
    })
    const of = (key: string) => items.find(({ artifact_key }) => artifact_key.includes(key))
    expect(of('argocd')).toMatchObject({
      status: 'minor_behind',
      inherited_from_helm: true,
      recommendation:
        'Upgrade the chart argo-cd, which installs this image; the next safe version of the image is v3.3.4. ' +
        'Support of Argo CD 3.2 ended on 2026-08-04.',
    })
    expect(of('redis')).toMatchObject({ status: 'major_behind', inherited_from_helm: true })
    expect(of('nginx')?.inherited_from_helm).toBe(false)
    expect(of('argo-cd@7.3.4')).toMatchObject({
      artifact_type: 'helm_chart',
      display_name: 'argo-cd 7.3.4',
      status: 'major_behind',
      confidence: 0.8,
      latest_version: '10.1.1',
      recommendation: 'Plan the upgrade to 10.1.1.',
    })
  })

  test.each([
    [
      '10.1.1',
      'v3.4.9',
      'The chart argo-cd installs this image and is the newest known: its values may set another version; ',
    ],
    ['99.0.0', 'v3.4.9', 'Look for a newer version of the chart argo-cd, which installs this image; '],
    ['10.0.1', 'v3.4.9', 'Upgrade the chart argo-cd, which installs this image; '],
    ['10.0.1', 'v3.5.1', 'Nothing to do.'],
    ['10.1.1', 'latest', 'See the chart argo-cd, which installs this image.'],
  ])('advises an image of chart %s by how the chart stands: %s', (version, tag, advice) => {
    const place = { namespace: 'argo', helmRelease: 'argo', helmChart: 'argo-cd' }
    const charts = [
      chart('argo-cd', version, { namespace: 'argo', release: 'argo' }),
      chart('argo-cd', '9.5.10', { namespace: 'other', release: 'other' }),
    ]
    const items = assess({ images: [image(`quay.io/argoproj/argocd:${tag}`, place)], charts })
    const { recommendation } = items.find(({ artifact_type }) => artifact_type === 'image')!
    const newest = 'the next safe version of the image is v3.5.1.'
    expect(recommendation).toBe(advice.endsWith('; ') ? advice + newest : advice)
  })

  test('upgrades a chart that is behind anywhere the image runs', () => {
    const place = { helmChart: 'argo-cd' }
    const charts = ['10.1.1', '10.0.1'].map((version, index) => chart('argo-cd', version, { namespace: `n${index}` }))
    const images = [0, 1].map((index) => image('quay.io/argoproj/argocd:v3.4.9', { ...place, namespace: `n${index}` }))
    const toAdvice = (artifacts: Partial<Artifacts>) =>
      assess(artifacts).find(({ artifact_type }) => artifact_type === 'image')!.recommendation
    expect(toAdvice({ images, charts })).toMatch(/^Upgrade the chart argo-cd/)
    expect(toAdvice({ images: images.slice(0, 1), charts })).toMatch(/^The chart argo-cd installs this image and is/)
  })

  test('never says that there is nothing to do beside an ended support', () => {
    const dead = { slug: 'redis', name: 'Redis', images: ['docker.io/library/redis'], app: ['7.0.15', '7.0.14'] }
    const toAdvice = (reference: string, kubernetesVersion: string | null = null, at = now) => {
      const artifacts = { images: [image(reference)], charts: [], apps: [], kubernetesVersion }
      const items = assessFreshness({ ...artifacts, imageSource: 'artifacts' }, catalogFor(dead, kubernetes), {
        now: at,
      })
      return items.map(({ recommendation }) => recommendation)
    }
    const ended = 'The catalog of 2026-08-22 has no newer release. Support of Redis 7.0 ended on 2024-07-29.'
    for (const tag of ['7.0.15', '7.0']) expect(toAdvice(`redis:${tag}`)).toEqual([ended])
    expect(toAdvice('redis:7.0.99')[0]).toMatch(
      /^It is newer than 7.0.15.* Support of Redis 7.0 ended on 2024-07-29\.$/,
    )
    const later = Date.UTC(2027, 7, 25) / 1000
    expect(toAdvice('redis:7.0.15', 'v1.36.4', later)).toEqual([
      ended,
      'The catalog of 2026-08-22 has no newer release. Upstream support of Kubernetes 1.36 ended on 2027-06-28.',
    ])
  })

  test.each([
    ['nginx:1.27.3', 7, undefined],
    ['nginx:1.27.2', 8, undefined],
    ['nginx:1.2.0', 9, true],
    ['nginx:1.31.4', 0, undefined],
    ['nginx:1.27', 4, undefined],
    ['nginx:1.25', 6, true],
    ['redis:7.2.4', 5, true],
    ['nginx:latest', null, undefined],
  ])('%s: %s releases behind, as a lower bound: %s', (reference, count, atLeast) => {
    const { releases_behind, releases_behind_at_least } = assessImage(reference)
    expect([releases_behind, releases_behind_at_least]).toEqual([count, atLeast])
  })

  test('assesses a chart only by what is known of it', () => {
    const [listed] = assess({ charts: [chart('argo-cd', '9.5.10')] })
    expect(listed).toMatchObject({ status: 'major_behind', same_line_version: '9.5.21', confidence: 0.95 })
    const [foreign] = assess({ charts: [chart('redis', '1.0.0')] })
    expect(foreign).toMatchObject({ status: 'unknown', source_product_id: null })
    const [generic] = assess({ charts: [chart('base', '1.29.6', { namespace: 'istio-system' })] })
    expect(generic).toMatchObject({ status: 'minor_behind', latest_version: '1.30.3' })
  })

  test('assesses an app only where no image or chart tells the same', () => {
    const apps = [app('grafana', '11.2.0'), app('nginx', '1.27.3'), app('nginx', '1.27.3', 'blog'), app('web', '3')]
    const items = assess({ images: [image('nginx:1.27.3'), image('registry.corp/shop/web:3')], apps })
    expect(items.filter(({ artifact_type }) => artifact_type === 'app')).toMatchObject([
      { artifact_key: 'grafana@11.2.0', status: 'major_behind', confidence: 0.5, display_name: 'grafana 11.2.0' },
      { artifact_key: 'nginx@1.27.3', namespace: 'blog' },
    ])
    expect(assess({ apps: [app('store-front', '1.0.0')] })).toMatchObject([{ status: 'unknown' }])
  })

  test.each([
    [
      'v1.33.6',
      'minor_behind',
      'Upgrade to v1.34.11 first; the newest is v1.36.4, after v1.35.8. Upstream support of Kubernetes 1.33 ended on 2026-06-28.',
    ],
    [
      'v1.26.5-gke.2700',
      'minor_behind',
      'The catalog lacks 1.27, which no way to v1.36.4 may skip. GKE support of Kubernetes 1.26 ended on 2024-06-30.',
    ],
    ['v1.35.8', 'minor_behind', 'Upgrade to v1.36.4.'],
    [
      'v1.36.3-eks-5e0fdde',
      'minor_behind',
      'Upgrade to v1.36.4. v1.36.4 is a release of Kubernetes; EKS publishes patches of its own, which the catalog does not list.',
    ],
    ['v1.36.4+k3s1', 'up_to_date', 'Nothing to do.'],
    [
      'v1.37.0',
      'unknown',
      'It is newer than v1.36.4, the newest in the catalog of 2026-08-22: whether it is current is unknown.',
    ],
    [
      '1.33',
      'minor_behind',
      'Move to the line 1.34 first; the newest is 1.36, after 1.35. Upstream support of Kubernetes 1.33 ended on 2026-06-28.',
    ],
  ])('takes Kubernetes %s one minor version at a time', (kubernetesVersion, status, recommendation) => {
    expect(assess({ kubernetesVersion })).toMatchObject([
      {
        artifact_type: 'kubernetes',
        artifact_key: `kubernetes@${kubernetesVersion}`,
        source: 'metadata',
        namespace: null,
        status,
        recommendation,
      },
    ])
  })

  test('puts first what needs attention most', () => {
    const items = assess({
      images: ['nginx:1.31.4', 'nginx:1.31.3', 'nginx:latest', 'redis:7.2.4', 'redis:6.2.24', 'nginx:1.27.3'].map(
        (text) => image(text),
      ),
    })
    expect(items.map(({ display_name, status }) => `${status} ${display_name}`)).toEqual([
      'major_behind redis:6.2.24',
      'major_behind redis:7.2.4',
      'minor_behind nginx:1.27.3',
      'minor_behind nginx:1.31.3',
      'unknown nginx:latest',
      'up_to_date nginx:1.31.4',
    ])
  })

  test('tells the considered projects only when asked', () => {
    const images = [image('registry.corp/x/grafana:1.0.0')]
    expect(assess({ images })[0]).not.toHaveProperty('candidates')
    expect(assess({ images }, { explain: true })[0]?.candidates).toEqual([
      {
        product_id: 3,
        name: 'Grafana',
        matched_by: 'name',
        taken: false,
        confidence: 0,
        reason: 'The image has the name of Grafana, but 1.0.0 does not fit its versions.',
      },
    ])
  })

  test('is less sure that something is up to date when the catalog is old', () => {
    const [item] = assess({ images: [image('nginx:1.31.4')] }, { now: now + 100 * 86_400 })
    expect(item).toMatchObject({ status: 'up_to_date', confidence: 0.88 })
  })

  test('answers any text with items of the contract', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('nginx', 'grafana', 'base', 'redis:7', '1.2.3', 'v1', 'latest'))
    const artifacts = fc.record({
      images: fc.array(
        text.map((reference) => image(reference)),
        { maxLength: 5 },
      ),
      charts: fc.array(
        fc.tuple(text, text).map(([name, version]) => chart(name, version)),
        { maxLength: 5 },
      ),
      apps: fc.array(
        fc.tuple(text, text).map(([name, version]) => app(name, version)),
        { maxLength: 5 },
      ),
      kubernetesVersion: fc.option(text),
    })
    fc.assert(
      fc.property(artifacts, (artifacts) => {
        for (const item of assess(artifacts, { explain: true })) expect(() => FreshnessItem.parse(item)).not.toThrow()
      }),
    )
  })

  test('says the same of an image whatever was assessed before', () => {
    const name = fc.constantFrom(
      'nginx',
      'docker.io/nginx',
      'bitnami/nginx',
      'mirror.corp/docker/nginx',
      'corp.io/argocd',
      'x',
    )
    const tag = fc.constantFrom(
      '',
      ':latest',
      ':1.27.3',
      ':1.27',
      ':v2.10.1',
      ':3.1.0-alpine',
      ':%',
      `@sha256:${'0'.repeat(64)}`,
    )
    const artifacts = fc.record({
      images: fc.array(
        fc.tuple(name, tag).map(([name, tag]) => image(name + tag)),
        { maxLength: 6 },
      ),
      charts: fc.array(fc.constantFrom(chart('argo-cd', '9.5.10'), chart('nginx', '1.0.0')), { maxLength: 1 }),
      apps: fc.array(fc.constantFrom(app('nginx', '1.27.3'), app('x', '1.0.0')), { maxLength: 1 }),
      kubernetesVersion: fc.constantFrom(null, 'v1.33.6'),
      imageSource: fc.constantFrom('artifacts' as const, 'findings' as const),
    })
    fc.assert(
      fc.property(fc.array(artifacts, { maxLength: 3 }), (clusters) => {
        const shared = prepareCatalog(catalog, now)
        for (const one of clusters) {
          const together = toItems(assessArtifacts(one, shared), shared, true)
          expect(together).toEqual(assessFreshness(one, catalog, { now, explain: true }))
        }
      }),
    )
  })

  test('takes time by the number of images and releases, not by their product', () => {
    const input = (size: number) => {
      const app = Array.from({ length: size }, (_, index) => `1.${index % 50}.${index}`)
      const images = Array.from({ length: size }, (_, index) => image(`big/big:1.${index % 50}.${index}-x${index % 9}`))
      const artifacts = { images, charts: [], apps: [], kubernetesVersion: null, imageSource: 'artifacts' as const }
      return { artifacts, catalog: catalogFor({ slug: 'big', images: ['docker.io/big/big'], app }) }
    }
    const run = ({ artifacts, catalog }: ReturnType<typeof input>) => assessFreshness(artifacts, catalog, { now })
    expect(run(input(2000))).toHaveLength(2000)
    expect(growthOf({ run, input, most: 4000 })).toBeLessThan(3)
  })
})
