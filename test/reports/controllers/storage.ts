import type { Controller } from './controller.ts'
import { hashed, members, withNode } from './names.ts'
import { daemonSet, dated, deployment, job, many, pod, type Template, uuid } from './objects.ts'

const ceph: Template = { image: 'quay.io/ceph/ceph:v19.2.0', hasRequests: true }
const cluster = { kind: 'CephCluster', name: 'rook-ceph' }

/** Controllers of storage and backups. */
export const storage: Record<string, Controller> = {
  'Rook: daemons per node': {
    namespace: 'rook-ceph',
    source: 'rook/rook, pkg/operator/ceph/cluster/nodedaemon and k8sutil.TruncateNodeName',
    objects: (at) => [
      ...at.nodes.flatMap((node) => [
        ...deployment(
          at,
          withNode('rook-ceph-crashcollector-', node),
          { ...ceph, container: 'ceph-crash' },
          { owner: cluster, node },
        ),
        ...deployment(
          at,
          withNode('rook-ceph-exporter-', node),
          { ...ceph, container: 'ceph-exporter' },
          { owner: cluster, node },
        ),
      ]),
    ],
  },
  'Rook: prepare jobs': {
    namespace: 'rook-osd',
    source: 'rook/rook, pkg/operator/ceph/cluster/osd: rook-ceph-osd-prepare-NODE, k8sutil.TruncateNodeNameForJob',
    objects: (at) =>
      at.nodes.flatMap((node) =>
        job(
          at,
          withNode('rook-ceph-osd-prepare-', node, 53),
          { ...ceph, container: 'provision', privileged: true },
          { owner: cluster, node },
        ),
      ),
  },
  'Rook: failover of a monitor': {
    namespace: 'rook-mon',
    source:
      'rook/rook, Documentation/Storage-Configuration/Advanced/ceph-mon-health: a new monitor gets the next letter',
    objects: (at) =>
      members(at).flatMap((i) =>
        deployment(at, `rook-ceph-mon-${'abcdefgh'[i - 1]}`, { ...ceph, container: 'mon' }, { owner: cluster }),
      ),
  },
  Longhorn: {
    namespace: 'longhorn-system',
    source:
      'longhorn/longhorn-manager, types.go and GetOwnerReferencesForInstanceManager: instance-manager-HASH by node and image',
    objects: (at) => [
      ...at.nodes.map((node) => {
        const name = `instance-manager-${hashed(`${node} ${at.day}`)}`
        return pod(
          at,
          name,
          {
            image: 'longhornio/longhorn-instance-manager:v1.7.2',
            container: 'instance-manager',
            privileged: true,
            hostPID: true,
            hostPath: '/proc',
          },
          { owner: { kind: 'InstanceManager', name }, node },
        )
      }),
      ...daemonSet(
        at,
        `engine-image-ei-${at.draw('hex', 8)}`,
        { image: 'longhornio/longhorn-engine:v1.7.2', privileged: true, hostPath: '/var/lib/longhorn' },
        { owner: { kind: 'EngineImage', name: 'ei' } },
      ),
      pod(
        at,
        `share-manager-pvc-${uuid(at.kept)}`,
        { image: 'longhornio/longhorn-share-manager:v1.7.2', privileged: true },
        { owner: { kind: 'ShareManager', name: 'share' } },
      ),
    ],
  },
  'Velero maintenance': {
    namespace: 'velero',
    source: 'vmware-tanzu/velero, pkg/repository/maintenance: REPOSITORY-maintain-job-MILLISECONDS, without an owner',
    objects: (at) => {
      const time = (at.midnight + at.draw.below(80_000)) * 1000 + at.draw.below(1000)
      return ['shop-default-kopia', `media-default-kopia-${at.kept('safe', 5)}`].flatMap((repository) =>
        job(at, `${repository}-maintain-job-${time}`, {
          image: 'velero/velero:v1.15.0',
          container: 'velero-repo-maintenance-container',
          labels: { 'velero.io/repo-name': repository },
        }),
      )
    },
  },
  'Velero data mover': {
    namespace: 'velero-data',
    source:
      'vmware-tanzu/velero, pkg/exposer: a pod is named as its DataUpload, BACKUP-SUFFIX, and its container by a UID; backups are SCHEDULE-TIME',
    objects: (at) => {
      const name = `daily-${dated(at)}020007-${at.draw('safe', 5)}`
      return [
        pod(
          at,
          name,
          { image: 'velero/velero:v1.15.0', container: uuid(at.draw) },
          { owner: { kind: 'DataUpload', name }, phase: 'Succeeded' },
        ),
      ]
    },
  },
  Kanister: {
    namespace: 'kasten-io',
    source: 'kanisterio/kanister, pkg/function: copy-vol-data-SUFFIX, a pod without a controller',
    objects: (at) =>
      many(2, () =>
        pod(
          at,
          `copy-vol-data-${at.draw('safe', 5)}`,
          { image: 'ghcr.io/kanisterio/kanister-tools:0.112.0', container: 'container' },
          { phase: 'Succeeded' },
        ),
      ),
  },
  'CDI importer': {
    namespace: 'cdi',
    source: 'kubevirt/containerized-data-importer: importer-prime-UID, owned by the claim prime-UID',
    objects: (at) => {
      const id = uuid(at.draw)
      return [
        pod(
          at,
          `importer-prime-${id}`,
          { image: 'quay.io/kubevirt/cdi-importer:v1.61.0', container: 'importer' },
          { owner: { kind: 'PersistentVolumeClaim', name: `prime-${id}` } },
        ),
      ]
    },
  },
}
