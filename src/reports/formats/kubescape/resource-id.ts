/**
 * `apps/v1/shop/Deployment/web`, `/v1/shop/Pod/web-5d9c-x`, for a file `path=3141/api=apps/v1/shop/Deployment/web`, and
 * for a subject with its role `rbac.authorization.k8s.io//Group/devs/rbac.authorization.k8s.io/v1//ClusterRole/admin`,
 * where the subject is what sets one finding apart from another.
 */
export function parseResourceId(id: string) {
  const parts = id.split('/')
  const [namespace, kind, name] = parts.slice(-3)
  const owner = parts.slice(0, -3).join('/')
  const api = toApi.exec(owner)
  return {
    namespace: namespace || null,
    resource: kind && name ? `${kind.toLowerCase()}/${name}` : id,
    // A Service of Knative is another one than that of the same name, whatever the version of either.
    identity: api ? (api[1] ?? '') : owner,
  }
}

/** A group, which the core has not, and a version, maybe of a file. */
const toApi = /^(?:path=\d+\/api=)?(?:([^/]+)\/)?[^/]*$/
