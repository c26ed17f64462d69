import type { OwnerLabel, OwnerRule } from '../contract/ownership.ts'
import { globMatcher } from '../util/glob.ts'
import { remember } from '../util/remember.ts'
import type { OwnerLink } from './artifact.ts'
import { splitResource, toWorkload } from './fix/place.ts'
import { stableResource } from './stable-name.ts'

interface PreparedRule {
  rule: OwnerRule
  isCluster: (name: string, environment: string) => boolean
  isNamespace: (name: string) => boolean
  isWorkload: (names: string[]) => boolean
}

/** The ownership rules of an account, compiled. */
export class Ownership {
  readonly #rules: PreparedRule[]

  constructor(rules: OwnerRule[]) {
    this.#rules = rules.map(prepare)
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  /** The rules that can match in a cluster, with the facts of its inventory. */
  in(cluster: { cluster_name: string; environment: string }, known: OwnershipFacts = {}): ClusterOwnership {
    const rules = this.#rules.filter(({ isCluster }) => isCluster(cluster.cluster_name, cluster.environment))
    return new ClusterOwnership(rules, known)
  }
}

/** Controllers of pods, and owners by labels for resources that no rule matches. */
interface OwnershipFacts {
  owners?: OwnerLink[] | undefined
  ownerLabels?: OwnerLabel[] | undefined
}

export class ClusterOwnership {
  readonly #rules: PreparedRule[]
  readonly #links: OwnerLink[]
  /** Rules depend on the namespace only. */
  readonly isByNamespace: boolean
  readonly #known = new Map<string, OwnerRule | undefined>()
  readonly #labels = new Map<string, string>()

  constructor(rules: PreparedRule[], { owners = [], ownerLabels = [] }: OwnershipFacts) {
    this.#rules = rules
    this.#links = owners
    for (const { namespace, workload, owner } of ownerLabels) this.#labels.set(labelKey(namespace, workload), owner)
    this.isByNamespace =
      rules.every(({ rule }) => rule.workload === undefined) && ownerLabels.every(({ workload }) => workload === null)
  }

  /** The owner by the last matching rule; else by a label of the workload; else by one of its namespace. */
  of(namespace: string | null, resource: string | null): OwnerRule | undefined {
    const key = `${namespace ?? ''}\n${this.isByNamespace ? '' : (resource ?? '')}`
    return remember(this.#known, key, () => this.#find(namespace, resource))
  }

  #find(namespace: string | null, resource: string | null): OwnerRule | undefined {
    const names = this.isByNamespace ? [] : toNames(namespace, resource, this.#links)
    // A cluster-scoped resource matches no namespace pattern.
    const prepared = this.#rules.findLast(
      ({ rule, isNamespace, isWorkload }) =>
        (rule.namespace === undefined || (namespace !== null && isNamespace(namespace))) &&
        (rule.workload === undefined || isWorkload(names)),
    )
    return prepared?.rule ?? this.#byLabel(namespace, names)
  }

  #byLabel(namespace: string | null, names: string[]): OwnerRule | undefined {
    if (namespace === null) return undefined
    const workload = names.find((name) => this.#labels.has(labelKey(namespace, name)))
    const owner = this.#labels.get(labelKey(namespace, workload ?? null))
    return owner === undefined ? undefined : { owner, namespace, ...(workload !== undefined && { workload }) }
  }
}

const labelKey = (namespace: string, workload: string | null) => `${namespace}\n${workload?.toLowerCase() ?? ''}`

function prepare(rule: OwnerRule): PreparedRule {
  const [cluster, namespace, workload] = [rule.cluster, rule.namespace, rule.workload].map((pattern) =>
    pattern === undefined ? () => true : globMatcher(pattern),
  )
  const hasKind = rule.workload?.includes('/') ?? false
  return {
    rule,
    isCluster: (name, environment) => cluster!(name) || cluster!(`${name}/${environment}`),
    isNamespace: namespace!,
    isWorkload: (names) => names.some((name) => workload!(hasKind ? name : name.slice(name.indexOf('/') + 1))),
  }
}

const podKinds = ['deployment', 'statefulset', 'daemonset', 'cronjob', 'job']

/**
 * The names that a rule can match: the resource's own, its stable one, and its workload's. For a pod with an unknown
 * workload, only the name is compared, not the kind.
 */
function toNames(namespace: string | null, resource: string | null, links: OwnerLink[]): string[] {
  if (resource === null) return []
  const [kind, name] = splitResource(resource)
  const workload = toWorkload(namespace ?? undefined, kind, name, links)
  const own = [resource, stableResource(resource)]
  if (workload) return [...own, `${workload.kind}/${workload.name}`]
  if (kind !== 'pod') return own
  return [...own, ...own.flatMap((each) => podKinds.map((of) => `${of}/${each.slice(each.indexOf('/') + 1)}`))]
}
