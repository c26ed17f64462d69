import { describe, expect, test } from 'vitest'
import { parseImageRef } from '../../src/freshness/image-ref.ts'
import { matchImage, runningVersion } from '../../src/freshness/match-image.ts'
import { argoCd, grafana, istio, knownOf, nginx, type ProjectFacts, redis } from './catalog.ts'

const ceph: ProjectFacts = {
  slug: 'ceph',
  name: 'Ceph',
  images: ['quay.io/ceph/ceph'],
  app: ['v20.2.1', 'v19.2.3', 'v18.2.7'],
}
const rook: ProjectFacts = { slug: 'rook', name: 'Rook', images: ['docker.io/rook/ceph'], app: ['v1.20.6', 'v1.19.9'] }
const authentik: ProjectFacts = { slug: 'authentik', images: ['ghcr.io/goauthentik/server'], app: ['1.4.2'] }
const temporal: ProjectFacts = { slug: 'temporal', images: ['docker.io/temporalio/admin-tools'], app: ['1.28.1'] }
const known = knownOf(temporal, nginx, argoCd, grafana, redis, istio, ceph, rook, authentik)
const match = (text: string, facts = known) => matchImage(parseImageRef(text)!, facts)

describe('matchImage', () => {
  test.each([
    ['nginx:1.27.3', 'nginx', 'repository', 0.98],
    ['public.ecr.aws/docker/library/nginx:1.27.3', 'nginx', 'repository', 0.98],
    ['quay.io/argoproj/argocd:v2.10.1', 'argo-cd', 'repository', 0.98],
    ['nginx', 'nginx', 'repository', 0.98],
    ['mirror.gcr.io/library/redis:7', 'redis', 'mirror', 0.85],
    ['bitnamilegacy/redis:7.2.4-debian-12-r9', 'redis', 'mirror', 0.85],
    ['123456789012.dkr.ecr.eu-west-1.amazonaws.com/docker-hub/library/nginx:1.27.3', 'nginx', 'mirror', 0.85],
    ['registry.corp:5000/quay.io/argoproj/argocd:v2.10.1', 'argo-cd', 'mirror', 0.85],
    ['registry.corp/mirrors/argoproj/argocd:v2.10.1', 'argo-cd', 'mirror', 0.6],
    ['registry.corp/rook/ceph:v1.19.0', 'rook', 'mirror', 0.6],
    ['registry.corp/platform/grafana:11.2.0', 'grafana', 'name', 0.5],
    ['registry.corp/platform/grafana:v13.0.7', 'grafana', 'name', 0.5],
    ['registry.corp/tools/argocd:v2.10.1', 'argo-cd', 'name', 0.5],
    ['registry.corp/nginx:1.27.1', 'nginx', 'name', 0.5],
    ['registry.corp/storage/ceph:v19.2.0', 'ceph', 'name', 0.5],
    ['registry.corp/storage/ceph:v1.19.0', 'rook', 'name', 0.5],
  ])('%s is of %s by %s', (text, slug, by, confidence) => {
    const { project, ...rest } = match(text)
    expect(project?.slug).toBe(slug)
    expect(rest.confidence).toBe(confidence)
    expect(rest.candidates.find((each) => each.taken)).toMatchObject({
      matched_by: by,
      confidence,
      name: project?.name,
    })
  })

  test.each([
    ['registry.shop.example/storefront/web:1.4.2', 'No catalog project publishes registry.shop.example/storefront/web'],
    [
      'registry.shop.example/storefront/server:1.4.2',
      'No catalog project publishes registry.shop.example/storefront/server',
    ],
    ['registry.shop.example/shop/pilot:1.30.3', 'No catalog project publishes registry.shop.example/shop/pilot'],
    [
      'registry.shop.example/shop/admin-tools:1.28.0',
      'No catalog project publishes registry.shop.example/shop/admin-tools',
    ],
    ['registry.corp/platform/grafana:1.0.3', 'The image has the name of Grafana, but 1.0.3 does not fit its versions'],
    [
      'registry.corp/platform/grafana:13.9.0',
      'The image has the name of Grafana, but 13.9.0 does not fit its versions',
    ],
    ['registry.corp/shop/nginx:1.4.2', 'The image has the name of NGINX, but 1.4.2 does not fit its versions'],
    ['registry.corp/shop/redis:3', 'The image has the name of Redis, but there is no full version to match by'],
    ['registry.corp/shop/redis', 'The image has the name of Redis, but there is no full version to match by'],
    [
      'registry.corp/shop/redis:main-8.10.1',
      'The image has the name of Redis, but there is no full version to match by',
    ],
    ['myuser/redis:7.2.4', 'The image has the name of Redis, but on docker.io it belongs to another owner'],
    ['ghcr.io/other/grafana:11.6.16', 'The image has the name of Grafana, but on ghcr.io it belongs to another owner'],
    ['confluentinc/cp-kafka:7.7.0', 'No catalog project publishes docker.io/confluentinc/cp-kafka'],
  ])('%s is of nobody', (text, reason) => {
    expect(match(text)).toMatchObject({ project: undefined, confidence: 0, reason })
    expect(match(text).candidates.every(({ taken, confidence }) => !taken && confidence === 0)).toBe(true)
  })

  test('of two projects with one repository takes the one whose releases the tag fits', () => {
    const shared = { images: ['docker.io/acme/db'] }
    const facts = knownOf(
      { slug: 'old', name: 'Old', app: ['1.9.0', '1.8.0', '2.0.0'], ...shared },
      { slug: 'new', name: 'New', app: ['3.1.0', '2.0.1'], ...shared },
    )
    expect(match('acme/db:3.0.0', facts)).toMatchObject({ project: { slug: 'new' }, confidence: 0.85 })
    expect(match('acme/db:2.0.0', facts).project?.slug).toBe('old')
    expect(match('acme/db:2.0.7', facts)).toMatchObject({
      project: undefined,
      reason: 'docker.io/acme/db is shared by Old and New',
    })
    expect(match('acme/db:latest', facts).project).toBeUndefined()
    expect(match('acme/db:3.0.0', facts).candidates).toEqual([
      expect.objectContaining({
        name: 'Old',
        taken: false,
        confidence: 0,
        reason: 'docker.io/acme/db is a repository of Old, but the tag fits another project better.',
      }),
      expect.objectContaining({ name: 'New', taken: true, reason: 'docker.io/acme/db is a repository of New.' }),
    ])
  })

  test('takes no name that fits two projects', () => {
    const facts = knownOf(
      { slug: 'a', images: ['quay.io/a/gizmo'], app: ['2.1.0'] },
      { slug: 'b', images: ['quay.io/b/gizmo'], app: ['2.2.0'] },
    )
    const { project, candidates } = match('registry.corp/x/gizmo:2.0.0', facts)
    expect(project).toBeUndefined()
    expect(candidates.map(({ reason }) => reason)).toEqual([
      'The image has the name of a, but another project fits as well.',
      'The image has the name of b, but another project fits as well.',
    ])
  })
})

describe('runningVersion', () => {
  const facts = (...app: string[]) => knownOf({ slug: 'envoy', images: ['docker.io/envoyproxy/envoy'], app })
  const lead = (tag: string, known = facts('v1.39.0', 'v1.38.3')) => {
    return runningVersion(parseImageRef(`envoyproxy/envoy:${tag}`)!, known.index.bySlug('envoy')[0]!, known)?.lead
  }

  test.each(['contrib-v1.38.3', 'contrib-1.38.3', 'contrib-v1.38', 'alpine-1.39.0', 'envoy-v2.0.0'])(
    'the word of %s names a kind of image',
    (tag) => {
      expect(lead(tag)).toBe('')
    },
  )

  test.each([
    ['cli-2.12.0', 'cli'],
    ['contrib-v1.37', 'contrib'],
    ['scala-1.39', 'scala'],
    ['alpine-3.20.1', 'alpine'],
  ])('the word of %s may be of another line', (tag, word) => {
    expect(lead(tag)).toBe(word)
  })

  test('a line that the project has is no kind of image', () => {
    expect(lead('edge-1.38.3', facts('v1.38.3', 'edge-1.37.0'))).toBe('edge')
  })
})
