import { type WebhookField, webhookChannels } from '../contract/channels.ts'
import type { ReceivedProject } from '../contract/received/catalog.ts'
import type { ReceivedSubscription } from '../contract/received/subscription.ts'
import type { Settings } from '../declarative/action.ts'
import { comparable, plainNames } from '../declarative/setting-changes.ts'
import { isSameWebhook, showWebhook } from '../declarative/webhook.ts'
import { nameKey as toKey } from '../util/pick-named.ts'
import { nameKey } from '../util/project-name.ts'
import type { Secret } from '../util/secret.ts'
import { type Direction, type Ends, type Side, sourceFor, toTarget } from './end.ts'
import type { Journal } from './journal.ts'
import { emptyDifference, type TransferDifference, toItem } from './planned.ts'

interface SubscriptionOptions {
  directions: Direction[]
  ends: Ends
  journal: Journal
  /** Called only if a subscription has no counterpart. */
  catalogFor: (side: Side) => Promise<ReceivedProject[]>
}

/**
 * Subscriptions are the same if their projects have the same name, and the same repository if both ends return one. Other
 * settings are a conflict; missing labels are attached.
 */
export async function subscriptionDifference(
  subscriptions: Record<Side, ReceivedSubscription[]>,
  options: SubscriptionOptions,
): Promise<TransferDifference> {
  const byName = { here: groupByName(subscriptions.here), there: groupByName(subscriptions.there) }
  const comparison = new SubscriptionComparison(options)
  for (const [key, here] of byName.here) comparison.compareName(here, byName.there.get(key) ?? [])
  for (const direction of options.directions) {
    const target = byName[toTarget(direction)]
    const missing = [...byName[sourceFor(direction)]].filter(([key]) => !target.has(key))
    if (missing.length > 0) await comparison.addMissing(direction, missing)
  }
  return comparison.found
}

class SubscriptionComparison {
  readonly found = { ...emptyDifference(), matched: { subscription: 0 } }
  readonly #options: SubscriptionOptions
  readonly #isPrivate: boolean

  constructor(options: SubscriptionOptions) {
    const { here, there } = options.ends
    this.#options = options
    this.#isPrivate = here.isPrivate && there.isPrivate
  }

  /** Compares subscriptions of one name at both ends. */
  compareName(allHere: ReceivedSubscription[], allThere: ReceivedSubscription[]): void {
    const [[here, ...others], [there, ...more]] = [allHere, allThere]
    if (!here || !there) return
    if (others.length + more.length === 0) this.#compare(here, there)
    else this.#differ(here.name, [{ name: 'project', here: toIds(allHere), there: toIds(allThere) }])
  }

  /** Adds the subscriptions that only one end has, if the other's catalog has exactly one such project. */
  async addMissing(direction: Direction, missing: [key: string, sources: ReceivedSubscription[]][]): Promise<void> {
    const { ends, catalogFor } = this.#options
    const target = toTarget(direction)
    const catalog = Map.groupBy(await catalogFor(target), ({ name }) => nameKey(name))
    for (const [key, [source, ...others]] of missing) {
      const [project, ...more] = catalog.get(key) ?? []
      if (!source) continue
      if (!project) {
        this.#leaveOut(direction, source.name, `the catalog of ${ends[target].name} does not have the project`)
      } else if (others.length + more.length > 0) {
        this.#leaveOut(direction, source.name, 'several projects have this name')
      } else if (!isSameRepository(source.repo_url, project.repo_url)) {
        const [from, to] = [source.repo_url ?? 'none', project.repo_url]
        const [here, there] = direction === 'pull' ? [to, from] : [from, to]
        this.#differ(source.name, [{ name: 'repo_url', here, there }])
      } else this.#add(direction, source, project.id)
    }
  }

  #compare(here: ReceivedSubscription, there: ReceivedSubscription): void {
    const { directions, journal } = this.#options
    const fields = fieldsThatDiffer(here, there, this.#isPrivate)
    const unfinished = directions.find((direction) => {
      const target = toTarget(direction) === 'here' ? here : there
      return fields.length > 0 && journal.hasBegun(toTarget(direction), target.product_id)
    })
    if (unfinished) {
      const [source, target] = unfinished === 'pull' ? [there, here] : [here, there]
      this.#add(unfinished, source, target.product_id)
      return
    }
    if (fields.length > 0) this.#differ(here.name, fields)
    else this.found.matched.subscription++
    // Labels are synced even if settings differ.
    if (fields.some(({ name }) => name === 'repo_url')) return
    for (const direction of directions) {
      const [source, target] = direction === 'pull' ? [there, here] : [here, there]
      this.#attachLabels(direction, source, target)
    }
  }

  #attachLabels(direction: Direction, source: ReceivedSubscription, target: ReceivedSubscription): void {
    const before = new Set(target.labels?.map(({ label_name }) => toKey(label_name)))
    const attach = toNames(source).filter((name) => !before.has(toKey(name)))
    if (attach.length === 0) return
    if (target.id === null || target.labels === null) {
      const end = this.#options.ends[toTarget(direction)]
      this.#leaveOut(direction, source.name, `${end.name} does not show its labels: ${attach.join(', ')}`)
      return
    }
    this.found.copies.push({
      item: toItem(direction, 'subscription', source.name, { change: 'change' }),
      step: { do: 'changeSubscription', id: target.id, settings: {}, attach, detach: [] },
    })
  }

  #add(direction: Direction, source: ReceivedSubscription, productId: number): void {
    const { settings, hidden } = settingsFor(source, this.#isPrivate)
    for (const reason of hidden) this.#leaveOut(direction, source.name, reason)
    if (source.id === null) {
      const end = this.#options.ends[sourceFor(direction)]
      this.#leaveOut(direction, source.name, `${end.name} does not show its settings`)
    }
    const step = { do: 'subscribe', productId, settings, attach: toNames(source) } as const
    this.found.copies.push({ item: toItem(direction, 'subscription', source.name), step, productId })
  }

  #differ(name: string, fields: { name: string; here: string; there: string }[]): void {
    this.found.conflicts.push({ kind: 'subscription', name, here_id: null, there_id: null, fields })
  }

  #leaveOut(direction: Direction, name: string, reason: string): void {
    this.found.left_out.push({ direction, kind: 'subscription', name, id: null, reason })
  }
}

const groupByName = (all: ReceivedSubscription[]) => Map.groupBy(all, ({ name }) => nameKey(name))
const toNames = ({ labels }: ReceivedSubscription): string[] => (labels ?? []).map(({ label_name }) => label_name)
const toIds = (all: ReceivedSubscription[]): string => all.map(({ product_id }) => product_id).join(', ')

/** Unknown settings do not count as different: the reduced form of a subscription has none. */
function fieldsThatDiffer(here: ReceivedSubscription, there: ReceivedSubscription, isPrivate: boolean) {
  const fields: { name: string; here: string; there: string }[] = []
  if (!isSameRepository(here.repo_url, there.repo_url)) {
    fields.push({ name: 'repo_url', here: here.repo_url ?? 'none', there: there.repo_url ?? 'none' })
  }
  if (here.id === null || there.id === null) return fields
  for (const name of plainNames) {
    const [one, other] = [here[name], there[name]]
    if (one === null || other === null || comparable(one) === comparable(other)) continue
    fields.push({ name, here: String(one), there: String(other) })
  }
  for (const { field } of isPrivate ? webhookChannels : []) {
    const [one, other] = [here[field], there[field]]
    if (isSameWebhook(one, other) || isSameWebhook(other, one)) continue
    fields.push({ name: field, here: showWebhook(one), there: showWebhook(other) })
  }
  return fields
}

/** The known settings, and why some of them are not copied. */
function settingsFor(source: ReceivedSubscription, isPrivate: boolean): { settings: Settings; hidden: string[] } {
  const known = plainNames.flatMap((name) => (source[name] === null ? [] : [[name, source[name]]]))
  const settings: Record<string, unknown> = source.id === null ? {} : Object.fromEntries(known)
  const hidden: string[] = []
  for (const { field } of webhookChannels) {
    const address: Secret | null = source[field as WebhookField]
    if (address === null) continue
    if (!isPrivate) hidden.push(`${field} is not sent over a connection without TLS`)
    else if (/\u2026|%E2%80%A6|\*{3}/i.test(address.reveal())) hidden.push(`${field} is shown shortened only`)
    else settings[field] = address.reveal()
  }
  return { settings, hidden }
}

/** An unknown repository does not count as different. */
function isSameRepository(one: string | null, other: string | null): boolean {
  return !one || !other || repositoryKey(one) === repositoryKey(other)
}

const repositoryKey = (url: string): string =>
  url
    .trim()
    .toLowerCase()
    .replace(/^[a-z+]+:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
