import { expect, test } from 'vitest'
import { ReportEnvelope } from '../../src/contract/cluster-report.ts'
import { readUpload } from '../../src/reports/describe-run.ts'
import { scan, toBytes } from './scan.ts'

const aksImage = { fullRef: 'mcr.microsoft.com/aks/hcp/hcp-tunnel-front:v1', namespace: 'kube-system' }
const payload = 'quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:aa'

test.each<[what: string, artifacts: object, named: string | undefined, provider: string | null]>([
  ['what the upload names', { images: [aksImage] }, 'eks', 'eks'],
  ['an image of AKS itself', { images: [aksImage] }, undefined, 'aks'],
  ['an image of AKS itself, of a scan of Kubernetes', { images: [aksImage] }, 'kubernetes', 'aks'],
  ['no image that others run', { images: [{ ...aksImage, namespace: 'shop' }] }, 'kubernetes', 'kubernetes'],
  ['a payload of OpenShift', { images: [{ fullRef: payload, namespace: 'openshift-dns' }] }, undefined, 'openshift'],
  ['labels of nodes', { nodes: [{ name: 'a', offering: 'aks' }, { name: 'b' }] }, undefined, 'aks'],
  ['nodes before images', { nodes: [{ name: 'a', offering: 'doks' }], images: [aksImage] }, undefined, 'doks'],
  [
    'the system of nodes',
    { nodes: [{ name: 'a', osImage: 'Red Hat Enterprise Linux CoreOS 9.6' }] },
    'kubernetes',
    'openshift',
  ],
  [
    'nothing of two',
    {
      nodes: [
        { name: 'a', offering: 'aks' },
        { name: 'b', offering: 'doks' },
      ],
    },
    undefined,
    null,
  ],
  ['no name that nobody knows', { nodes: [{ name: 'a', offering: 'constructor' }] }, undefined, null],
])('the provider is by %s', async (_, artifacts, named, provider) => {
  const body = { artifacts, cluster: { name: 'shop', ...(named !== undefined && { provider: named }) } }
  const { run, scan: read } = await readUpload(toBytes(scan([{ resource: 'pod/a' }])), ReportEnvelope.parse(body), 0)
  expect([run.provider, read.artifacts.provider ?? null]).toEqual([provider, provider])
})
