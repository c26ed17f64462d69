import { remember } from '../util/remember.ts'
import { namespaceAt, offsetsIn } from './finding-records.ts'
import { templateName } from './generated-name.ts'
import type { RunFindings } from './run-findings.ts'
import { formatTexts } from './select-findings.ts'
import { kindOfResource, nameOfResource, resourceKey, stableResource } from './stable-name.ts'

/** `at_rest`: its template is still there and has no pods now. `changed`: as well, but with another image or specification. */
export type RestState = 'at_rest' | 'changed'

/** Kinds that start pods from time to time. A row about one shows that it is still there. */
const startsPods = new Set(
  'cronjob scaledjob cronworkflow autoscalingrunnerset ephemeralrunnerset runnerdeployment runnerset'.split(' '),
)

/** Kinds that a template starts. */
const startedKinds = new Set(['pod', 'job'])

/** Longest chain of controllers that is followed. */
const maxLinks = 10

/** Templates of pods in one run, by its inventory. */
class Templates {
  /** Template → its images, with the digest of its pods' specification if that is stated. */
  readonly #images = new Map<string, Set<string>>()
  readonly #links: Map<string, string> | undefined
  readonly #withPods = new Set<string>()
  readonly #named = new Map<string, string[]>()

  constructor({ images = [], owners }: Listed) {
    for (const { namespace, workload, reference, spec = '' } of images) {
      if (workload === null) continue
      const key = resourceKey(namespace, workload)
      if (!this.#images.has(key)) this.#addName(namespace, workload)
      remember(this.#images, key, () => new Set<string>()).add(`${reference} ${spec}`)
    }
    this.#links = owners && new Map(owners.map((link) => [resourceKey(link.namespace, link.resource), link.owner]))
    for (const { namespace, resource } of owners ?? []) {
      if (kindOfResource(resource) === 'pod')
        this.#withPods.add(resourceKey(namespace, this.topOf(namespace, resource)))
    }
  }

  #addName(namespace: string | null, workload: string): void {
    remember(this.#named, resourceKey(namespace, nameOfResource(workload)), (): string[] => []).push(workload)
  }

  /** The object that users edit. */
  topOf(namespace: string | null, resource: string): string {
    let top = resource
    for (let i = 0; i < maxLinks; i++) {
      const owner = this.#links?.get(resourceKey(namespace, top))
      if (owner === undefined) break
      top = owner
    }
    return top
  }

  /** Workloads with this name. */
  named(namespace: string | null, name: string): string[] {
    return this.#named.get(resourceKey(namespace, name)) ?? []
  }

  imagesOf(key: string): Set<string> | undefined {
    return this.#images.get(key)
  }

  /** It is listed without pods. Without controllers, every listed workload may have some. */
  isAtRest(key: string): boolean {
    return this.#images.has(key) && this.#links !== undefined && !this.#withPods.has(key)
  }
}

/** Inventory of a run. */
type Listed = Pick<RunFindings, 'images' | 'owners'>

/** A finding's place. */
interface Place {
  namespace: string | null
  resource: string | null
}

/**
 * Which of these findings of a run the other one lacks only because their template has no pods there. `rows`: templates that
 * findings of the other run are about, asked if its inventory does not list controllers.
 */
export async function findAtRest<T extends Place>(
  run: Listed,
  other: Listed,
  found: T[],
  rows?: () => Promise<Set<string>>,
): Promise<Map<T, RestState>> {
  const states = new Map<T, RestState>()
  const ofPods = found.filter(({ resource }) => startedKinds.has(kindOfResource(resource ?? '')))
  if (ofPods.length === 0) return states
  const [here, there] = [new Templates(run), new Templates(other)]
  for (const one of ofPods) {
    const namespace = one.namespace
    const resource = one.resource!
    const kind = kindOfResource(resource)
    const own = `${kind}/${nameOfResource(resource)}`
    const stem = templateName(kind, nameOfResource(own))
    if (!other.owners) {
      const known = await rows?.()
      const hasRow = [...startsPods].some((each) => known?.has(resourceKey(namespace, `${each}/${stem}`)))
      if (hasRow && !known?.has(resourceKey(namespace, `pod/${stem}`))) states.set(one, 'at_rest')
      continue
    }
    const top = here.topOf(namespace, own)
    const templates = top === own ? there.named(namespace, stem) : [top]
    const [key] = templates
      .map((template) => resourceKey(namespace, template))
      .filter((template) => there.isAtRest(template))
    if (key === undefined) continue
    const [before, now] = [here.imagesOf(key), there.imagesOf(key)!]
    states.set(one, before && before.symmetricDifference(now).size > 0 ? 'changed' : 'at_rest')
  }
  return states
}

/** Templates that findings of a run are about. */
export async function templatesWithRows(run: RunFindings): Promise<Set<string>> {
  const { records, namespaces } = run.index
  const found = new Set<string>()
  for await (const [at, { resource }] of formatTexts(run, offsetsIn(records))) {
    const number = namespaceAt(records, at)
    if (resource !== null)
      found.add(resourceKey(number === 0 ? null : namespaces[number - 1]!, stableResource(resource)))
  }
  return found
}
