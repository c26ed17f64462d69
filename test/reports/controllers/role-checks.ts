import type { MadeRow } from '../made-cluster.ts'
import { type Check, type Cluster, type PodSpec, row, rowsOf, type Said, toSaid } from './check.ts'
import type { KubeObject } from './objects.ts'

type Rule = { verbs: string[]; resources: string[]; apiGroups: string[] }

const rulesOf = (role: KubeObject) => (role.rules ?? []) as Rule[]
const roleOf = (binding: KubeObject) => (binding.roleRef as { name: string }).name
const accountsOf = (binding: KubeObject) => binding.subjects as { name: string; namespace: string }[]
const withAll = (list: string[], ...some: string[]) => ['*', ...some].some((each) => list.includes(each))
const sensitive = ['secrets', 'pods/exec', 'roles', 'clusterroles', 'bindings', 'clusterrolebindings']
const isSensitive = (rule: Rule) =>
  rule.resources.some((each) => sensitive.includes(each)) && withAll(rule.verbs, 'create', 'update', 'delete')
const isWildcard = ({ verbs, resources, apiGroups }: Rule) =>
  [verbs, resources, apiGroups].every((each) => each.includes('*'))

const exposed = (cluster: Cluster, kind: 'Role' | 'ClusterRole'): MadeRow[] =>
  cluster.of(`${kind}Binding`).flatMap((binding) => {
    const role = cluster.of(kind).find(({ metadata }) => metadata.name === roleOf(binding))
    const rules = role ? rulesOf(role) : []
    const message = rules.some(isWildcard)
      ? 'Wildcard permission role'
      : rules.some(isSensitive) && 'Access to sensitive resources'
    if (!message) return []
    const name = binding.metadata.name
    const place = kind === 'ClusterRole' ? { Namespace: '🌍 Cluster-Wide', Resource: `ClusterRoleBinding/${name}` } : {}
    return accountsOf(binding).map(({ name }) => ({ ...row(binding, [message, `ServiceAccount/${name}`]), ...place }))
  })

const dangers = ({ verbs, resources }: Rule): string =>
  [
    ...verbs.filter((each) => ['impersonate', 'bind', 'escalate'].includes(each)),
    ...resources.flatMap((each) =>
      each === 'pods/exec' ? each : each === 'secrets' && withAll(verbs, 'get', 'list', 'watch') ? 'secret read' : [],
    ),
  ].join(', ')

const bound = (cluster: Cluster) => new Set(cluster.of('RoleBinding', 'ClusterRoleBinding').map(roleOf))

/** Checks of roles, bindings and service accounts. */
export const roleChecks: Record<string, Check> = {
  RBAC002: {
    ...{ name: 'RBAC Overexposure', severity: 'critical', kind: 'ClusterRoleBinding' },
    find: (cluster) => [...exposed(cluster, 'ClusterRole'), ...exposed(cluster, 'Role')],
  },
  RBAC003: {
    ...{ name: 'Orphaned ServiceAccounts', severity: 'warning', kind: 'ServiceAccount' },
    find: (cluster) => {
      const users = cluster
        .of('Pod')
        .map(({ spec, metadata }) => `${metadata.namespace}/${(spec as PodSpec).serviceAccountName}`)
      const subjects = cluster.of('RoleBinding', 'ClusterRoleBinding').flatMap(accountsOf)
      const used = new Set([...users, ...subjects.map(({ name, namespace }) => `${namespace}/${name}`)])
      return rowsOf(['ServiceAccount'], ({ metadata: { namespace, name } }) =>
        used.has(`${namespace}/${name}`) ? [] : [['ServiceAccount not used by pods or RBAC bindings', name]],
      )(cluster)
    },
  },
  RBAC004: {
    ...{ name: 'Orphaned and Ineffective Roles', severity: 'info', kind: 'Role, ClusterRole' },
    find: (cluster) =>
      cluster
        .of('ClusterRole')
        .filter(({ metadata }) => !bound(cluster).has(metadata.name))
        .map((role) => ({ ...row(role, ['Unused ClusterRole', role.metadata.name]), Namespace: 'cluster-wide' })),
  },
  RBAC006: {
    ...{ name: 'Dangerous RBAC Verbs and Subresources', severity: 'critical', kind: 'Role, ClusterRole' },
    find: rowsOf(['ClusterRole', 'Role'], (role, cluster) =>
      bound(cluster).has(role.metadata.name)
        ? rulesOf(role).flatMap((rule) =>
            toSaid(dangers(rule) !== '' && ['Role grants dangerous RBAC access', dangers(rule)]),
          )
        : [],
    ),
  },
  RBAC010: {
    ...{ name: 'Sensitive ServiceAccount Bound to Workload', severity: 'critical', kind: 'Pod' },
    find: (cluster) => {
      const roles = cluster
        .of('Role', 'ClusterRole')
        .filter((role) => rulesOf(role).some((rule) => dangers(rule) !== ''))
      const bindings = cluster.of('RoleBinding', 'ClusterRoleBinding')
      return rowsOf(['Pod'], ({ spec, metadata }) => {
        const account = (spec as PodSpec).serviceAccountName
        const via = bindings.findLast(
          (binding) =>
            accountsOf(binding).some(({ name, namespace }) => name === account && namespace === metadata.namespace) &&
            roles.some((role) => role.metadata.name === roleOf(binding)),
        )
        return via ? [[`ServiceAccount has sensitive RBAC permissions via ${roleOf(via)}`, account]] : []
      })(cluster)
    },
  },
  RBAC011: {
    ...{ name: 'Event Tampering Permissions', severity: 'warning', kind: 'Role, ClusterRole' },
    find: rowsOf(['Role', 'ClusterRole'], (role) =>
      rulesOf(role).flatMap(({ resources, apiGroups, verbs }) =>
        withAll(resources, 'events') && withAll(apiGroups, '') && withAll(verbs, 'delete')
          ? [['Role grants event deletion permissions', verbs.join(',')] satisfies Said]
          : [],
      ),
    ),
  },
  SEC018: {
    ...{ name: 'Automounting API Credentials Enabled in ServiceAccounts', severity: 'warning', kind: 'ServiceAccount' },
    find: rowsOf(['ServiceAccount'], () => [
      [
        'Some ServiceAccounts have automountServiceAccountToken enabled, potentially exposing API credentials to Pods.',
        'null',
      ],
    ]),
  },
}
