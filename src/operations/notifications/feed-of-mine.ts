import type { AnswerCoverage } from '../../contract/answer-coverage.ts'
import type { FeedItem } from '../../contract/subscription.ts'
import type { Db } from '../../db/open.ts'
import { type AssessedItem, type ExposureQuestion, fixedBy } from '../../freshness/index.ts'
import { listFeedFor, type Period } from '../../store/catalog/recent-release.ts'
import { countSubscriptions } from '../../store/notifications/subscription.ts'
import { remember } from '../../util/remember.ts'
import { basisOfExposures } from '../freshness/answer-coverage.ts'
import { type Concern, type ExposedArtifact, findExposures } from '../freshness/find-exposures.ts'
import { findKnownAdvisories } from '../freshness/known-advisories.ts'
import { findRunningArtifacts, placesFor, type RunningQuery } from '../freshness/running-artifacts.ts'

/** The releases of a period that concern artifacts in the owner's clusters, subscribed or not, with the number affected. */
export async function findFeedOfMine(
  db: Db,
  period: Period & { limit: number },
  asking: RunningQuery & { userId: number },
): Promise<{ catalog_date: string; looked_at: AnswerCoverage; releases: FeedItem[] }> {
  const exposed = new Map<readonly Concern[], EqualArtifacts>()
  const survey = findExposures(
    await findRunningArtifacts(db, asking, { findAdvisories: findKnownAdvisories }),
    questionsIn(period),
    ({ run, one, concerns }) => {
      const equal = remember(exposed, concerns, () => ({ number: exposed.size, one, concerns, running: [] }))
      equal.running.push({ run, workloads: placesFor(one.places).workloads })
    },
  )
  const { concerned, behindOlder } = findConcerned([...exposed.values()], period)
  const { catalog_date, looked_at } = await basisOfExposures(db, survey)
  const releases = await listFeedFor(db, [...concerned.keys()], period.limit)
  const countAffected = affectedCounter()
  return {
    catalog_date,
    looked_at: {
      subscriptions: await countSubscriptions(db, asking.userId),
      ...looked_at,
      behind_older_fixes: behindOlder,
      ...(concerned.size > period.limit && { truncated: true }),
    },
    releases: releases.map((release) => {
      const { artifacts, isCertain, fixes } = concerned.get(release.release_id)!
      const affects = { ...countAffected(artifacts), is_certain: isCertain }
      return { ...release, affects, ...(fixes.size > 0 && { fixes: [...fixes] }) }
    }),
  }
}

/** The same artifact in several clusters. */
interface EqualArtifacts {
  number: number
  /** The first of these artifacts. */
  one: AssessedItem
  concerns: readonly Concern[]
  running: { run: ExposedArtifact['run']; workloads: string[] }[]
}

interface ConcernedRelease {
  artifacts: EqualArtifacts[]
  /** A running version is certainly older. */
  isCertain: boolean
  /** Ids of advisories that affect running artifacts and not the release. */
  fixes: Set<string>
}

/** Two questions per artifact: each release of the period, and whether it lacks an older security fix. */
function questionsIn({ since, until }: Period): (one: AssessedItem) => ExposureQuestion[] {
  return ({ releases }) => [
    ...(releases?.list.all ?? []).flatMap(({ id, publishedAt, fault }): ExposureQuestion[] =>
      publishedAt >= since && publishedAt <= until && !fault ? [{ kind: 'release', id }] : [],
    ),
    { kind: 'security' },
  ]
}

/** Releases by id; `behindOlder` counts artifacts that lack a security fix from before the period. */
function findConcerned(exposed: EqualArtifacts[], { since }: Period) {
  const concerned = new Map<number, ConcernedRelease>()
  const runsBehind = new Map<string, Set<ExposedArtifact['run']>>()
  for (const equal of exposed) {
    const { one, concerns, running } = equal
    for (const { question, exposure } of concerns) {
      const { fix: release, isCertain } = exposure
      if (!release) continue
      if (question.kind === 'release') {
        const found = remember(concerned, release.id, () => ({
          artifacts: [],
          isCertain: false,
          fixes: new Set<string>(),
        }))
        found.artifacts.push(equal)
        found.isCertain ||= isCertain
        for (const { id } of fixedBy(one, release)) found.fixes.add(id)
      } else if (release.publishedAt < since) {
        const key = `${one.type} ${one.key}`
        const runs = remember(runsBehind, key, () => new Set())
        for (const { run } of running) runs.add(run)
      }
    }
  }
  return { concerned, behindOlder: runsBehind.values().reduce((sum, { size }) => sum + size, 0) }
}

/** Counts once for the same artifacts, which most releases of a project concern. */
function affectedCounter() {
  const counted = new Map<string, ReturnType<typeof countRunning>>()
  return (artifacts: EqualArtifacts[]) => {
    const key = artifacts.map(({ number }) => number).join()
    return remember(counted, key, () => countRunning(artifacts))
  }
}

/** A workload counts once per cluster. */
function countRunning(artifacts: EqualArtifacts[]) {
  const found = artifacts.flatMap(({ running }) => running)
  const byRun = Map.groupBy(found, ({ run }) => run)
  const workloadsFor = (own: typeof found) =>
    own.length === 1 ? own[0]!.workloads.length : new Set(own.flatMap(({ workloads }) => workloads)).size
  return {
    clusters: byRun.size,
    workloads: byRun.values().reduce((sum, own) => sum + workloadsFor(own), 0),
    artifacts: found.length,
  }
}
