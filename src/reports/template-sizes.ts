import { remember } from '../util/remember.ts'
import type { ClusterNames } from './cluster-names.ts'
import type { Item } from './item.ts'
import { nameOfResource, stableMachines } from './stable-name.ts'
import { isOfState } from './state-check.ts'

interface Template {
  namespace: string | null
  template: string
  /** Names of its pods, runs or nodes that checks of the specification list; these checks list all of them. */
  objects: Names
  /** The template is a pool of nodes, whose healthy nodes the findings do not show. */
  isOfMachines: boolean
}

interface Row {
  check: string
  item: Pick<Item, 'namespace' | 'resource'>
  template: string | null
}

/** Counts the pods, runs and nodes of each template, so that a higher count of a finding can be explained by scaling. */
export class TemplateSizes {
  readonly #names: ClusterNames
  /** Templates by namespace, then by name. */
  readonly #templates = new Map<string, Map<string, Template>>()
  /** Finding number → template. */
  readonly #ofFinding: (Template | undefined)[] = []
  /** Template of the last row: a check lists the rows of a template consecutively. */
  #last: Template | undefined
  #check = { id: '', isOfState: false }

  constructor(names: ClusterNames) {
    this.#names = names
  }

  /** Adds a row of a finding, by the finding's number. All rows of a finding have the same template. */
  add(finding: number, { check, item: { namespace, resource }, template }: Row): void {
    if (resource === null || template === null) return
    const known = this.#ofFinding[finding] ?? this.#toTemplate(namespace, template, resource)
    this.#ofFinding[finding] = known
    if (this.#isOfState(check) ? template === resource : !known.isOfMachines) known.objects.add(resource)
  }

  /** Caches the last check: its rows come consecutively. */
  #isOfState(check: string): boolean {
    if (check !== this.#check.id) this.#check = { id: check, isOfState: isOfState(check) }
    return this.#check.isOfState
  }

  #toTemplate(namespace: string | null, template: string, resource: string): Template {
    const last = this.#last
    if (last?.template === template && last.namespace === namespace) return last
    const ofNamespace = remember(this.#templates, namespace ?? '', () => new Map<string, Template>())
    this.#last = remember(ofNamespace, template, () => ({
      namespace,
      template,
      objects: new Names(),
      isOfMachines: isOfMachine(resource),
    }))
    return this.#last
  }

  /** Calls `onFinding` with the template size of each finding that has a template. */
  finish(onFinding: (finding: number, size: number) => void, { listsNodes }: { listsNodes: boolean }): void {
    const sizes = new Map<Template, number>()
    for (const each of this.#templates.values().flatMap((ofNamespace) => ofNamespace.values())) {
      const isKnown = listsNodes || !each.template.startsWith('node/')
      const known = (isKnown && this.#names.toSize(each.namespace, each.template)) || 0
      sizes.set(each, Math.max(known, each.objects.size))
    }
    this.#ofFinding.forEach((template, finding) => {
      if (template) onFinding(finding, sizes.get(template)!)
    })
  }
}

const isOfMachine = (resource: string): boolean =>
  !/^pods?\//i.test(resource) && (/^nodes?\//i.test(resource) || stableMachines(resource) !== resource)

const maxListed = 8

/** Names of the objects of a template, without duplicates. Comparing with the last few is faster than a hash lookup. */
class Names {
  readonly #listed: string[] = []
  readonly #all = new Set<string>()

  get size(): number {
    return this.#all.size
  }

  add(resource: string): void {
    if (this.#listed.includes(resource)) return
    if (this.#listed.length < maxListed) this.#listed.push(resource)
    this.#all.add(nameOfResource(resource))
  }
}
