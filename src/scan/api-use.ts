import type { UsedApi } from '../reports/artifact.ts'
import { objects } from '../reports/formats/values.ts'
import { isObject } from '../util/json.ts'
import { word } from './helm-labels.ts'

/** At most five users of an API version, such as `shop/web (helm)`. */
const mostUsers = 5
const mostApis = 2000

/** Collects API versions in use, other than the ones under which the objects were listed. */
export class ApiUses {
  readonly #found = new Map<string, UsedApi>()
  /** Avoids duplicates, because a list may be read again from its start. */
  readonly #seen = new Set<string>()

  all() {
    return [...this.#found.values()]
  }

  /** Records the versions with which the managers of an object wrote it; `served` is the `group/version` that listed it. */
  addObject(item: unknown, kind: string, served: string): void {
    if (!isObject(item) || !isObject(item.metadata)) return
    const { name, namespace, managedFields } = item.metadata
    if (!Array.isArray(managedFields)) return
    const seen = new Set<string>()
    for (const field of managedFields) {
      const written = isObject(field) ? word(field.apiVersion) : undefined
      if (written === undefined || written === served || seen.has(written)) continue
      seen.add(written)
      const [version = '', group = ''] = written.split('/').reverse()
      const manager = word(field.manager)
      const object = [word(namespace), word(name)].filter(Boolean).join('/')
      this.#add(
        { group, version, kind, by: 'managedFields' },
        manager === undefined ? object : `${object} (${manager})`,
      )
    }
  }

  /**
   * Records versions in which objects of a CustomResourceDefinition may still be stored, other than the current storage
   * version.
   */
  addDefinition(item: unknown): void {
    const { spec, status, metadata } = isObject(item) ? item : {}
    if (!isObject(spec) || !isObject(status) || !isObject(metadata)) return
    const kind = isObject(spec.names) ? word(spec.names.kind) : undefined
    const group = word(spec.group)
    const versions = objects(spec.versions)
    const storage = versions.find((one) => one.storage === true)?.name
    if (kind === undefined || group === undefined || !Array.isArray(status.storedVersions)) return
    for (const stored of status.storedVersions) {
      const version = word(stored)
      const now = versions.find((one) => one.name === version)
      if (version === undefined || (version === storage && now?.deprecated !== true)) continue
      this.#add({ group, version, kind, by: 'storedVersions' }, word(metadata.name) ?? '')
    }
  }

  /** Parses a line of `apiserver_requested_deprecated_apis`. */
  addMetric(line: string): void {
    const labels = /^apiserver_requested_deprecated_apis\{([^}]*)\} 1(?:\.0*)?(?:\s|$)/.exec(line)?.[1]
    if (labels === undefined) return
    const of = Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
    if (of.version === undefined || of.resource === undefined) return
    this.#add({ group: of.group ?? '', version: of.version, kind: of.resource, by: 'metrics' }, '')
  }

  #add(api: Omit<UsedApi, 'users' | 'count'>, user: string) {
    const key = `${api.by} ${api.group}/${api.version} ${api.kind}`
    if (this.#seen.has(`${key} ${user}`)) return
    this.#seen.add(`${key} ${user}`)
    const known = this.#found.get(key)
    if (!known && this.#found.size === mostApis) return
    const one = known ?? { ...api, users: [], count: 0 }
    one.count++
    if (user !== '' && one.users.length < mostUsers) one.users.push(user)
    this.#found.set(key, one)
  }
}
