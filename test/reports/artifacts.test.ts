import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Artifacts, ImageArtifact } from '../../src/reports/artifact.ts'
import { countArtifacts, imageOfFinding, readArtifacts } from '../../src/reports/artifacts.ts'
import { readItem } from '../../src/reports/item.ts'
import { exampleFile, nativeReportFile } from '../helpers/report.ts'
import { readWithItems, scan } from './scan.ts'

function artifactsFor(report: unknown): Artifacts {
  const images: ImageArtifact[] = []
  const { report: read, checks } = readWithItems(report)
  for (const check of checks) {
    for (const item of check.items) {
      const image = imageOfFinding(check, readItem(item, check), item)
      if (image) images.push(image)
    }
  }
  return readArtifacts(read, images)
}

const withInventory = (artifacts: unknown) => artifactsFor({ checks: {}, artifacts })

describe('readArtifacts', () => {
  test('reads the inventory of a PowerShell build', () => {
    const artifacts = withInventory({
      images: [
        {
          fullRef: 'quay.io/argoproj/argocd:v2.10.1@sha256:abc',
          name: 'quay.io/argoproj/argocd',
          tag: 'v2.10.1',
          digest: 'sha256:abc',
          currentVersion: 'v2.10.1',
          namespace: 'argocd',
          workloadKind: 'Deployment',
          workloadName: 'argocd-server',
          containerName: 'server',
          managedByHelm: true,
          helmChartName: 'argo-cd-7.3.4',
          helmReleaseName: 'argocd',
          managedBy: 'Helm',
          managedByController: null,
          toPart: 'argocd',
        },
        { fullRef: 'nginx', workloadName: 'web', helmChartName: '', namespace: null },
      ],
      helmCharts: [
        {
          name: 'argo-cd',
          version: '7.3.4',
          releaseName: 'argocd',
          releaseNamespace: 'argocd',
          namespace: 'other',
          workloadKind: 'StatefulSet',
          workloadName: 'controller',
        },
        { name: 'loki', version: '6.0.0', namespace: 'logs' },
      ],
      apps: [{ name: 'shop', version: '1.2.3', namespace: 'shop', team: 'a' }],
      summary: { images: 2 },
    })
    expect(artifacts).toEqual({
      images: [
        {
          reference: 'quay.io/argoproj/argocd:v2.10.1@sha256:abc',
          namespace: 'argocd',
          workload: 'deployment/argocd-server',
          helmChart: 'argo-cd-7.3.4',
          helmRelease: 'argocd',
        },
        { reference: 'nginx', namespace: null, workload: 'workload/web', helmChart: null, helmRelease: null },
      ],
      charts: [
        {
          name: 'argo-cd',
          version: '7.3.4',
          release: 'argocd',
          namespace: 'argocd',
          workload: 'statefulset/controller',
        },
        { name: 'loki', version: '6.0.0', release: null, namespace: 'logs', workload: null },
      ],
      apps: [{ name: 'shop', version: '1.2.3', namespace: 'shop' }],
      kubernetesVersion: null,
      imageSource: 'artifacts',
    })
  })

  test.each<[string, unknown, number[]]>([
    [
      'one object in place of a list',
      { images: { fullRef: 'nginx' }, helmCharts: { name: 'a', version: '1' } },
      [1, 1, 0],
    ],
    ['rows without what names them', { images: [{}, { name: 'nginx' }, { fullRef: ' ' }, { fullRef: 5 }] }, [0, 0, 0]],
    [
      'charts and apps without a version',
      { helmCharts: [{ name: 'a' }], apps: [{ name: 'a' }, { version: '1' }] },
      [0, 0, 0],
    ],
    ['rows of a wrong kind', { images: [null, 'nginx', ['nginx'], 5], helmCharts: 'a', apps: 5 }, [0, 0, 0]],
    ['lists that are null', { images: null, helmCharts: null, apps: null }, [0, 0, 0]],
    ['no object', ['nginx'], [0, 0, 0]],
    ['null', null, [0, 0, 0]],
  ])('takes only what it can use: %s', (_, inventory, counts) => {
    const { images, charts, apps } = withInventory(inventory)
    expect([images.length, charts.length, apps.length]).toEqual(counts)
  })

  test('bounds the inventory', () => {
    const images = Array.from({ length: 50_001 }, (_, i) => ({ fullRef: `a/b:${i}` }))
    expect(withInventory({ images }).images).toHaveLength(50_000)
    expect(withInventory({ images: [{ fullRef: 'n'.repeat(5000) }] }).images[0]!.reference).toHaveLength(1024)
  })

  test('takes images from findings when there is no inventory', () => {
    const pod = 'pod/web-65cc8855c-ghk9m'
    const rows = [
      { check: 'POD007', namespace: 'shop', resource: pod, value: 'nginx:latest' },
      { check: 'SEC014', namespace: 'shop', resource: pod, value: 'ghcr.io/a/b:v1' },
      { check: 'SEC014', namespace: '-', value: 'ghcr.io/a/c' },
      { check: 'SEC014', namespace: 'shop', resource: pod, value: 'no image' },
      { check: 'SEC014', namespace: 'shop', resource: pod },
      { check: 'SEC015', namespace: 'shop', resource: pod, value: 'nginx:1.27.3' },
    ]
    const image = { namespace: 'shop', workload: 'pod/web', helmChart: null, helmRelease: null }
    const found = [
      { ...image, reference: 'nginx:latest' },
      { ...image, reference: 'ghcr.io/a/b:v1' },
      { ...image, reference: 'ghcr.io/a/c', namespace: null, workload: null },
    ]
    const report = scan(rows)
    expect(artifactsFor(report)).toEqual({
      images: found,
      charts: [],
      apps: [],
      kubernetesVersion: 'v1.33.6',
      imageSource: 'findings',
    })
    expect(artifactsFor({ ...report, artifacts: { images: [], apps: [{ name: 'a', version: '1' }] } })).toMatchObject({
      images: found,
      apps: [{ name: 'a' }],
      imageSource: 'findings',
    })
    expect(artifactsFor({ ...report, artifacts: { images: [{ fullRef: 'httpd' }] } })).toMatchObject({
      images: [{ reference: 'httpd' }],
      imageSource: 'artifacts',
    })
  })

  test('takes the image of a PowerShell row from Image, never from Container', () => {
    const row = { Namespace: 'shop', Pod: 'web-65cc8855c-ghk9m', Container: 'app', Issue: 'latest tag' }
    const check = (ID: string, Items: object[]) => ({ ID, Name: ID, Severity: 'High', Total: Items.length, Items })
    const report = {
      checks: {
        SEC014: check('SEC014', [{ ...row, Image: 'docker.io/acme/web:1.2.3' }, row]),
        POD007: check('POD007', [{ ...row, Image: 'nginx:latest', Value: 'app' }]),
        SEC003: check('SEC003', [{ ...row, Image: 'redis:7' }]),
      },
    }
    expect(artifactsFor(report).images).toEqual(
      ['docker.io/acme/web:1.2.3', 'nginx:latest'].map((reference) => {
        return { reference, namespace: 'shop', workload: 'pod/web', helmChart: null, helmRelease: null }
      }),
    )
  })

  test('counts what is different', () => {
    const image = (reference: string, namespace: string) => ({ fullRef: reference, namespace })
    const artifacts = withInventory({
      images: [image('nginx:1', 'a'), image('nginx:1', 'b'), image('nginx:2', 'a')],
      helmCharts: [
        { name: 'a', version: '1', namespace: 'a' },
        { name: 'a', version: '1', namespace: 'b' },
      ],
      apps: [
        { name: 'a', version: '1' },
        { name: 'a', version: '2' },
      ],
    })
    expect(countArtifacts(artifacts)).toEqual({ images: 2, helm_charts: 1, apps: 2 })
  })

  test('reads what runs in real reports', () => {
    const native = artifactsFor(readFileSync(nativeReportFile))
    expect(native).toMatchObject({ kubernetesVersion: 'v1.33.6', imageSource: 'findings', charts: [], apps: [] })
    expect([...new Set(native.images.map((image) => `${image.workload} ${image.reference}`))].sort()).toEqual([
      'pod/order-service busybox',
      'pod/order-service ghcr.io/azure-samples/aks-store-demo/order-service:latest',
      'pod/product-service ghcr.io/azure-samples/aks-store-demo/product-service:latest',
      'pod/store-front ghcr.io/azure-samples/aks-store-demo/store-front:latest',
    ])
    for (const number of [1, 2, 3] as const) {
      const { images, charts, apps, imageSource } = artifactsFor(readFileSync(exampleFile(number)))
      expect([images.length, charts.length, apps.length, imageSource]).toEqual([29, 9, 14, 'artifacts'])
    }
  })
})
