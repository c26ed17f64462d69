import type { ClusterName } from '../config/cluster-name.ts'
import { webhookFields } from '../contract/channels.ts'
import type { ActionCall } from '../declarative/action.ts'
import { performStep } from '../declarative/apply.ts'
import { readCurrent, readProfiles, type StoredProfile } from '../declarative/current.ts'
import { listCatalog } from '../declarative/resolve-projects.ts'
import { ReltError } from '../errors.ts'
import { copyRun } from './copy-run.ts'
import { type Direction, type End, type Ends, type Side, sourceFor, toTarget } from './end.ts'
import { failureOfItem, reasonFor } from './failure.ts'
import type { Journal } from './journal.ts'
import { labelDifference } from './labels.ts'
import { distinct, findClusters, isChosen, type ListedRun, listRuns } from './list-runs.ts'
import { matchRuns } from './match-runs.ts'
import { type PlannedCopy, type TransferDifference, toItem } from './planned.ts'
import { profileDifference, type RefuseProfile } from './profiles.ts'
import { emptyResult, type SyncKind, type TransferResult } from './result.ts'
import type { RunFacts } from './run-facts.ts'
import { subscriptionDifference } from './subscriptions.ts'
import { problemOfCopy } from './verify-runs.ts'

export interface TransferOptions {
  directions: Direction[]
  /** Only runs and profiles of these clusters. */
  clusters?: ClusterName[] | undefined
  /** Dry run: finds what would be copied. */
  isDry: boolean
  /** Copy items again that were deleted since the last sync. */
  restore: boolean
  journal: Journal
  refuseProfile: RefuseProfile
  /** Runs the work exclusively among syncs: for profiles, which have no idempotency key. */
  alone: <T>(work: () => Promise<T>) => Promise<T>
  signal: AbortSignal
  /** `total` is undefined if unknown. */
  onProgress: (note: string, done?: number, total?: number) => void
}

const sides = ['here', 'there'] as const

/**
 * Copies items that only one end has, through the routes of the API. The result lists items that cannot be copied. `failure`
 * is an error that stopped the sync early; a later sync continues.
 */
export async function syncEnds(
  ends: Ends,
  options: TransferOptions,
): Promise<{ result: TransferResult; failure?: unknown }> {
  const result = emptyResult()
  try {
    if (!options.clusters) {
      await section(result, options, 'subscription', () =>
        syncDifference(ends, options, result, () => accountDifference(ends, options)),
      )
    }
    await section(result, options, 'profile', () => syncProfiles(ends, options, result))
    await section(result, options, 'run', () => syncRuns(ends, options, result))
    return { result }
  } catch (failure) {
    return { result, failure }
  }
}

/** If one end denies a section, for example by its plan, the others continue. */
async function section(
  { left_out }: TransferResult,
  { directions }: TransferOptions,
  kind: SyncKind,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const reason = reasonFor(failureOfItem(error))
    for (const direction of directions) left_out.push({ direction, kind, name: null, id: null, reason })
  }
}

async function accountDifference(
  ends: Ends,
  { directions, journal, onProgress }: TransferOptions,
): Promise<TransferDifference> {
  onProgress('Comparing subscriptions')
  const [here, there] = await Promise.all(sides.map((side) => readCurrent(ends[side].client, { profiles: false })))
  const labels = labelDifference({ here: here!.labels, there: there!.labels }, directions)
  const subscriptions = await subscriptionDifference(
    { here: here!.subscriptions, there: there!.subscriptions },
    { directions, ends, journal, catalogFor: (side) => listCatalog(ends[side].client) },
  )
  return {
    // Labels come first, because they are attached by name.
    copies: [...labels.copies, ...subscriptions.copies],
    matched: { ...labels.matched, ...subscriptions.matched },
    conflicts: [...labels.conflicts, ...subscriptions.conflicts],
    left_out: [...labels.left_out, ...subscriptions.left_out],
  }
}

async function syncProfiles(ends: Ends, options: TransferOptions, result: TransferResult): Promise<void> {
  const { clusters, directions } = options
  const open = sides.map((side) => ends[side]).find(({ isPrivate }) => !isPrivate)
  if (open) {
    const reason = `${open.name} is reached without TLS, and settings of profiles are secret`
    for (const direction of directions)
      result.left_out.push({ direction, kind: 'profile', name: null, id: null, reason })
    return
  }
  const ofClusters = (profiles: StoredProfile[]) =>
    profiles.filter(({ cluster_name: cluster }) => isChosen({ cluster }, clusters))
  const findDifference = async () => {
    options.onProgress('Comparing profiles')
    const [here, there] = await Promise.all(sides.map((side) => readProfiles(ends[side].client)))
    const found = { here: ofClusters(here!), there: ofClusters(there!) }
    return profileDifference(found, { directions, ends, refuse: options.refuseProfile })
  }
  await options.alone(() => syncDifference(ends, options, result, findDifference))
}

/** Copies, then compares again: a server may ignore an unknown setting. */
async function syncDifference(
  ends: Ends,
  options: TransferOptions,
  result: TransferResult,
  find: () => Promise<TransferDifference>,
): Promise<void> {
  const { copies, matched, conflicts, left_out } = await find()
  Object.assign(result.matched, matched)
  result.conflicts = result.conflicts.concat(conflicts)
  result.left_out = result.left_out.concat(left_out)
  const done: PlannedCopy[] = []
  for (const [index, copy] of copies.entries()) {
    options.onProgress(`Copying ${copy.item.kind}s`, index, copies.length)
    if (options.isDry) result.copied.push(copy.item)
    else if (await perform(ends, options, result, copy)) done.push(copy)
  }
  if (done.length === 0) return
  const after = await find()
  for (const { item } of done) {
    const isOf = (other: { kind: SyncKind; name: string }) => other.kind === item.kind && other.name === item.name
    const conflict = after.conflicts.find(isOf)
    const isMissing = after.copies.some((copy) => isOf(copy.item) && copy.item.direction === item.direction)
    if (!conflict && !isMissing) continue
    const differs = conflict?.fields.map(({ name }) => name).join(', ')
    const reason = conflict ? `its copy differs in ${differs}` : 'it was sent, but is not there afterwards'
    const { direction, kind, name, id } = item
    if (!conflicts.some(isOf)) result.left_out.push({ direction, kind, name, id, reason })
  }
}

async function perform(
  ends: Ends,
  { signal, journal }: TransferOptions,
  { copied, left_out }: TransferResult,
  { item, step, productId }: PlannedCopy,
): Promise<boolean> {
  const { direction, kind, name, id } = item
  const target = toTarget(direction)
  const leaveOut = (reason: string) => left_out.push({ direction, kind, name, id, reason })
  const call = (wanted: ActionCall) => {
    if (signal.aborted) throw new ReltError('cancelled', 'Cancelled.')
    return performStep(ends[target].client, wanted)
  }
  if (productId !== undefined) journal.begin(target, productId)
  try {
    await call(step)
  } catch (error) {
    const failed = failureOfItem(error)
    const fewer = failed.code === 'invalid_param' ? withoutWebhooks(step) : undefined
    leaveOut(`${fewer ? 'its webhooks were refused: ' : ''}${reasonFor(failed)}`)
    if (!fewer) return end(false)
    try {
      await call(fewer)
    } catch (again) {
      leaveOut(reasonFor(failureOfItem(again)))
      return end(false)
    }
  }
  copied.push(item)
  return end(true)

  /** A permanent failure becomes a conflict in the next sync, instead of a request that fails each time. */
  function end(isDone: boolean): boolean {
    if (productId !== undefined) journal.finish(target, productId)
    return isDone
  }
}

function withoutWebhooks(step: ActionCall): ActionCall | undefined {
  if (step.do !== 'subscribe' || !webhookFields.some((field) => step.settings[field] !== undefined)) return undefined
  const names = new Set<string>(webhookFields)
  return { ...step, settings: Object.fromEntries(Object.entries(step.settings).filter(([name]) => !names.has(name))) }
}

async function syncRuns(ends: Ends, options: TransferOptions, result: TransferResult): Promise<void> {
  const { directions, journal, restore, onProgress } = options
  onProgress('Listing runs')
  const listed = await listWanted(ends, options, result)
  const matched = await matchRuns(ends, listed, {
    journal,
    restore,
    onProgress: (done, total) => onProgress('Comparing runs', done, total),
  })
  result.matched.run = matched.same.length
  if (!options.isDry) for (const { here, there } of matched.same) journal.add(here.id, there.id)
  for (const { here, there } of matched.conflicts) {
    const fields = [{ name: 'report', here: here.id, there: there.id }]
    result.conflicts.push({ kind: 'run', name: toName(here), here_id: here.id, there_id: there.id, fields })
  }
  for (const direction of directions) {
    const source = sourceFor(direction)
    const reason = `it was copied before and is no longer at ${ends[toTarget(direction)].name}`
    for (const run of matched.deleted[source]) {
      result.deleted.push({ direction, kind: 'run', name: toName(run), id: run.id, reason })
    }
    await copyRuns(ends, options, result, { direction, runs: matched[source] })
  }
}

/** The runs of the clusters to copy. Adds a note if an end cannot list its clusters. */
async function listWanted(
  ends: Ends,
  { clusters }: TransferOptions,
  result: TransferResult,
): Promise<Record<Side, ListedRun[]>> {
  const found = { here: await findClusters(ends.here), there: await findClusters(ends.there) }
  // A cluster missing from one end's list may be in the other's.
  const all = distinct([...(clusters ?? []), ...found.here.clusters, ...found.there.clusters])
  const chosen = all.filter((place) => isChosen({ ...place, environment: place.environment ?? null }, clusters))
  const places = clusters ? distinct([...clusters, ...chosen]) : all
  const list = async (side: Side): Promise<ListedRun[]> =>
    (await listRuns(ends[side], places, clusters)).filter((run) => isChosen(run, clusters))
  const listed = { here: await list('here'), there: await list('there') }
  for (const side of sides) {
    if (found[side].isWhole || clusters) continue
    const known = new Set(listed[side].map(({ cluster }) => cluster)).size
    result.notes.push(
      `${ends[side].name} has no list of clusters. Its other answers name ${known}; name further ones with --clusters.`,
    )
  }
  return listed
}

async function copyRuns(
  ends: Ends,
  { isDry, signal, journal, onProgress }: TransferOptions,
  result: TransferResult,
  { direction, runs }: { direction: Direction; runs: RunFacts[] },
): Promise<void> {
  const [from, to] = [ends[sourceFor(direction)], ends[toTarget(direction)]]
  const copies: CopiedRun[] = []
  const leaveOut = (run: RunFacts, reason: string) =>
    result.left_out.push({ direction, kind: 'run', name: toName(run), id: run.id, reason })
  for (const [index, run] of runs.entries()) {
    onProgress(`runs to ${to.name}`, index, runs.length)
    if (signal.aborted) throw new ReltError('cancelled', 'Cancelled.')
    const item = toItem(direction, 'run', toName(run), { id: run.id, cluster: toPlace(run) || null })
    if (isDry) result.copied.push(item)
    if (isDry) continue
    try {
      const uploaded = await copyRun(from, to, run.listed)
      if (!uploaded) {
        leaveOut(run, `${from.name} does not return its report`)
        continue
      }
      const { run_id: newId } = uploaded
      journal.add(...(direction === 'pull' ? ([newId, run.id] as const) : ([run.id, newId] as const)))
      result.copied.push({ ...item, new_id: newId })
      copies.push({ run, newId })
    } catch (error) {
      const failed = failureOfItem(error)
      leaveOut(run, reasonFor(failed))
      // If a plan or role denies one upload, it denies all.
      if (failed.code !== 'forbidden') continue
      for (const other of runs.slice(index + 1)) leaveOut(other, reasonFor(failed))
      break
    }
  }
  if (copies.length === 0) return
  onProgress('Verifying the copies')
  for (const { run, problem } of await findBadCopies(to, copies)) leaveOut(run, problem)
}

interface CopiedRun {
  run: RunFacts
  newId: string
}

async function findBadCopies(to: End, copies: CopiedRun[]): Promise<{ run: RunFacts; problem: string }[]> {
  const places = distinct(
    copies.flatMap(({ run }) =>
      run.cluster === null ? [] : [{ cluster: run.cluster, environment: run.environment ?? undefined }],
    ),
  )
  const listed = new Map((await listRuns(to, places)).map((each) => [each.run.run_id, each]))
  return copies.flatMap(({ run, newId }) => {
    const problem = problemOfCopy(run.listed, listed.get(newId))
    return problem ? { run, problem } : []
  })
}

/** Formats `prod-eu/prod 2026-08-31 06:00:00`. */
const toName = (run: RunFacts): string => [toPlace(run), run.at].filter(Boolean).join(' ') || run.id

const toPlace = ({ cluster, environment }: RunFacts): string =>
  [cluster, environment].filter((part) => part !== null).join('/')
