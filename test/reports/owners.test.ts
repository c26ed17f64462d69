import { describe, expect, test } from 'vitest'
import type { Artifacts, ImageArtifact } from '../../src/reports/artifact.ts'
import { withOwners } from '../../src/reports/owners.ts'

const image = (workload: string | null, namespace = 'shop'): ImageArtifact => {
  return { reference: 'nginx:1.27.3', namespace, workload, helmChart: null, helmRelease: null }
}

const artifactsFor = (images: ImageArtifact[]): Artifacts => {
  return { images, charts: [], apps: [], kubernetesVersion: null, imageSource: 'artifacts' }
}

const ownedIn = (...images: ImageArtifact[]) => {
  return withOwners(artifactsFor(images)).images.map(({ workload }) => workload)
}

describe('a workload with a generated name', () => {
  test.each([
    ['replicaset/etl-eu-8-hxpcpk7m5', 'deployment/etl-eu-8'],
    ['replicaset/web-65cc8855c', 'deployment/web'],
    ['job/backup-29384710', 'cronjob/backup'],
  ])('%s is %s when the report names it', (workload, owner) => {
    expect(ownedIn(image(owner), image(workload))).toEqual([owner, owner])
  })

  test.each([
    ['no such Deployment', 'replicaset/web-65cc8855c', image('deployment/api')],
    ['a Deployment of another namespace', 'replicaset/web-65cc8855c', image('deployment/web', 'test')],
    ['a name that is no hash', 'replicaset/web-frontend', image('deployment/web')],
    ['a hash without digits', 'replicaset/web-bcdfghjk', image('deployment/web')],
    ['no such CronJob', 'job/backup-29384710', image('cronjob/restore')],
    ['a Job by another number', 'job/backup-2', image('cronjob/backup')],
    ['another kind', 'statefulset/web-65cc8855c', image('deployment/web')],
  ])('stays itself with %s', (_, workload, other) => {
    expect(ownedIn(other, image(workload))).toEqual([other.workload, workload])
  })

  test('belongs to the owner of a chart as well', () => {
    const chart = {
      name: 'web',
      version: '1.0.0',
      release: 'web',
      namespace: 'shop',
      workload: 'replicaset/web-65cc8855c',
    }
    const { charts } = withOwners({ ...artifactsFor([image('deployment/web')]), charts: [chart] })
    expect(charts).toMatchObject([{ workload: 'deployment/web' }])
  })
})
