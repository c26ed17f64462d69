import { stableResource } from './stable-name.ts'

/** A placeholder for the checks that did not run on one resource. */
export function checkOfResource(
  { namespace, resource }: { namespace: string | null; resource: string | null },
  category: string,
) {
  const name = `Scan of ${[namespace, resource && stableResource(resource)].filter(Boolean).join('/')}`
  return { id: name, name, category }
}

/** A placeholder for the checks that did not run in one namespace. */
export function checkOfNamespace(namespace: string) {
  return { id: `namespace ${namespace}`, name: `Reports of the namespace ${namespace}`, category: 'Coverage' }
}

/** Whether a check is such a placeholder, whose id and name contain names from the cluster. */
export const namesPlace = (id: string): boolean => /^(?:Scan of|namespace) /.test(id)
