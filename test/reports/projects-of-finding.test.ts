import { expect, test } from 'vitest'
import { projectsOfFinding } from '../../src/reports/projects-of-finding.ts'

const artifact = (id: number | null, artifact_key: string, ...workloads: string[]) => ({
  artifact_key,
  workloads,
  source_product_id: id,
  source_product_slug: id === null ? null : `project-${id}`,
})
const artifacts = [
  artifact(1, 'docker.io/library/redis:7.4.2', 'shop/statefulset/session-store'),
  artifact(1, 'redis@20.1.0', 'shop/statefulset/session-store'),
  artifact(2, 'docker.io/library/nginx:1.27.3', 'shop/deployment/web', 'other/deployment/session-store'),
  artifact(3, 'quay.io/team/exporter:1.0', 'shop/deployment/web'),
  artifact(null, 'quay.io/team/unknown:1.0', 'shop/deployment/own'),
]

test.each([
  ['a pod of a workload', 'shop', 'pod/session-store-0', [1]],
  ['the workload itself', 'shop', 'StatefulSet/session-store', [1]],
  ['a workload with several images', 'shop', 'pod/web-5d9c7b8f66-k2j4x', [2, 3]],
  ['an image', null, 'image/docker.io/library/nginx:1.27.3', [2]],
  ['another namespace', 'other', 'pod/session-store-0', [2]],
  ['a name that only begins so', 'shop', 'pod/webhook-0', []],
  ['another kind', 'shop', 'service/session-store', []],
  ['an image without a project', 'shop', 'pod/own-0', []],
  ['nothing', null, null, []],
])('the projects of %s', (_, namespace, resource, ids) => {
  const found = projectsOfFinding({ namespace, resource }, artifacts)
  expect(found.map(({ id }) => id)).toEqual(ids)
})

test('the projects of all its workloads are its projects', () => {
  const workloads = ['pod/session-store-0', 'pod/web-1'].map((resource) => ({
    namespace: 'shop',
    resource,
    container: null,
  }))
  const found = projectsOfFinding({ namespace: null, resource: 'image/x', workloads }, artifacts)
  expect(found.map(({ slug }) => slug)).toEqual(['project-1', 'project-2', 'project-3'])
})
