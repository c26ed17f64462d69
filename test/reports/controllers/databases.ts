import type { Controller } from './controller.ts'
import { members } from './names.ts'
import { account, dated, job, pod, statefulSet } from './objects.ts'

/** Operators of databases. */
export const databases: Record<string, Controller> = {
  'Percona XtraDB backups': {
    namespace: 'pxc',
    source: 'percona/percona-xtradb-cluster-operator, docs: xb-cron-CLUSTER-STORAGE-DATE-HASH',
    objects: (at) => {
      const backup = `cron-cluster1-fs-pvc-${dated(at)}000-${at.kept('low', 5)}`
      const owner = { kind: 'PerconaXtraDBClusterBackup', name: backup }
      return [
        ...statefulSet(
          at,
          'cluster1-pxc',
          { image: 'percona/percona-xtradb-cluster:8.0.36', container: 'pxc', hasRequests: true },
          { replicas: 3 },
        ),
        ...job(
          at,
          `xb-${backup}`,
          { image: 'percona/percona-xtradb-cluster-operator:1.15.0-pxc8.0-backup', container: 'xtrabackup' },
          { owner },
        ),
      ]
    },
  },
  'CloudNativePG failover': {
    namespace: 'cnpg',
    source: 'cloudnative-pg/cloudnative-pg, pkg/specs: a new member has the next number, and a Job CLUSTER-N-join',
    objects: (at) => {
      const owner = { kind: 'Cluster', name: 'ledger' }
      const template = {
        image: 'ghcr.io/cloudnative-pg/postgresql:17.2',
        container: 'postgres',
        account: 'ledger',
        isSecure: true,
      }
      return [
        account(at, 'ledger'),
        ...members(at).map((i) => pod(at, `ledger-${i}`, template, { owner })),
        ...job(at, `ledger-${members(at)[2]}-join`, { ...template, container: 'join' }, { owner }),
      ]
    },
  },
  'Crunchy Postgres instance': {
    namespace: 'pgo',
    source:
      'CrunchyData/postgres-operator, internal/naming: CLUSTER-INSTANCESET-SUFFIX of four letters, one StatefulSet each',
    objects: (at) => {
      const owner = { kind: 'PostgresCluster', name: 'hippo' }
      return statefulSet(
        at,
        `hippo-instance1-${at.draw('safe', 4)}`,
        { image: 'registry.developers.crunchydata.com/crunchydata/crunchy-postgres:ubi9-17.2', container: 'database' },
        { owner },
      )
    },
  },
  'TiDB scheduled backup': {
    namespace: 'tidb',
    source: 'pingcap/tidb-operator, BackupSchedule: Backups SCHEDULE-2006-01-02t15-04-05 and Jobs backup-BACKUP',
    objects: (at) => {
      const date = dated(at).replace(/(....)(..)(..)/, '$1-$2-$3')
      const backup = `nightly-${date}t02-00-00`
      return job(
        at,
        `backup-${backup}`,
        { image: 'pingcap/tidb-backup-manager:v1.6.1', container: 'backup' },
        { owner: { kind: 'Backup', name: backup } },
      )
    },
  },
  ECK: {
    namespace: 'elastic',
    source: 'elastic/cloud-on-k8s: StatefulSet CLUSTER-es-NODESET; its names stay',
    objects: (at) =>
      statefulSet(
        at,
        'quickstart-es-default',
        { image: 'docker.elastic.co/elasticsearch/elasticsearch:8.16.0', container: 'elasticsearch' },
        { replicas: 3, ageDays: 19 + at.day },
      ),
  },
}
