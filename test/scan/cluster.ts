import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Objects as the API server writes them, with what an inventory looks at. */

interface Metadata {
  labels?: Record<string, string>
  annotations?: Record<string, string>
  namespace?: string
}

interface PodOptions {
  namespace?: string
  /** Whose ReplicaSet made it: its name is without the two last words of the pod's. */
  deployment?: string
  owner?: { kind: string; name: string }
  phase?: string
  imageIds?: string[]
  labels?: Record<string, string>
}

const containersOf = (images: string[]) => images.map((image, i) => ({ name: `c${i}`, image }))

export function deployment(name: string, images: string[], metadata: Metadata = {}) {
  return { kind: 'Deployment', metadata: { name, namespace: 'shop', ...metadata }, spec: template(images) }
}

export function cronJob(name: string, images: string[]) {
  return { kind: 'CronJob', metadata: { name, namespace: 'shop' }, spec: { jobTemplate: { spec: template(images) } } }
}

export function job(name: string, images: string[], owner?: string) {
  const ownerReferences = owner ? [{ kind: 'CronJob', name: owner, controller: true }] : []
  return { kind: 'Job', metadata: { name, namespace: 'shop', ownerReferences }, spec: template(images) }
}

export function pod(name: string, images: string[], options: PodOptions = {}) {
  const { namespace = 'shop', phase = 'Running', imageIds = [], deployment } = options
  const hash = deployment && name.slice(deployment.length + 1).split('-')[0]
  const owner = deployment ? { kind: 'ReplicaSet', name: `${deployment}-${hash}` } : options.owner
  return {
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      labels: { ...options.labels, ...(hash && { 'pod-template-hash': hash }) },
      ownerReferences: owner ? [{ ...owner, controller: true }] : [],
    },
    spec: { containers: containersOf(images) },
    status: { phase, containerStatuses: imageIds.map((imageID, i) => ({ name: `c${i}`, imageID })) },
  }
}

export function releaseSecret(record: unknown) {
  const packed = gzipSync(JSON.stringify(record)).toString('base64')
  return {
    kind: 'Secret',
    type: 'helm.sh/release.v1',
    metadata: { name: 'sh.helm.release.v1.argocd.v3', namespace: 'shop' },
    data: { release: Buffer.from(packed).toString('base64') },
  }
}

/** What the fixture `kubectl` answers with; a kind that is not here is forbidden. */
export function writeCluster(folder: string, lists: Record<string, unknown[]>): void {
  mkdirSync(folder, { recursive: true })
  for (const [kind, items] of Object.entries(lists)) {
    writeFileSync(join(folder, `${kind}.json`), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 4))
  }
}

const template = (images: string[]) => ({ template: { spec: { containers: containersOf(images) } } })
