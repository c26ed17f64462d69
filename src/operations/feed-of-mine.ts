import type { AnswerCoverage } from '../contract/answer-coverage.ts'
import type { FeedItem } from '../contract/subscription.ts'
import type { Db } from '../db/open.ts'
import { type AssessedItem, type Exposure, type ExposureQuestion, fixedBy } from '../freshness/index.ts'
import { listFeedOf, type Period } from '../store/recent-release.ts'
import { countSubscriptions } from '../store/subscription.ts'
import { basisOfExposures } from './answer-coverage.ts'
import { type ExposedArtifact, findExposures } from './find-exposures.ts'
import { findKnownAdvisories } from './known-advisories.ts'
import { findRunningArtifacts, placesOf, type RunningQuery } from './running-artifacts.ts'

interface FeedOfMine {
  catalog_date: string
  looked_at: AnswerCoverage
  releases: FeedItem[]
}

/** The releases of a period that concern something in the owner's clusters, subscribed or not, with how much that is. */
export async function findFeedOfMine(
  db: Db,
  period: Period & { limit: number },
  asking: RunningQuery & { userId: number },
): Promise<FeedOfMine> {
  const concerned = new Map<number, ConcernedArtifacts>()
  const behindOlder = new Set<string>()
  const survey = findExposures(
    await findRunningArtifacts(db, asking, { findAdvisories: findKnownAdvisories }),
    questionsIn(period),
    (exposed) => {
      if (exposed.question.kind === 'release') add(concerned, exposed)
      else if (exposed.exposure.release && exposed.exposure.release.publishedAt < period.since)
        behindOlder.add(keyOf(exposed))
    },
  )
  const { catalog_date, looked_at } = await basisOfExposures(db, survey)
  const releases = await listFeedOf(db, [...concerned.keys()], period.limit)
  return {
    catalog_date,
    looked_at: {
      subscriptions: await countSubscriptions(db, asking.userId),
      ...looked_at,
      behind_older_fixes: behindOlder.size,
      ...(concerned.size > period.limit && { truncated: true }),
    },
    releases: releases.map((release) => {
      const { clusters, workloads, artifacts, isCertain, fixes } = concerned.get(release.release_id)!
      const affects = { clusters, workloads, artifacts, is_certain: isCertain }
      return { ...release, affects, ...(fixes.size > 0 && { fixes: [...fixes] }) }
    }),
  }
}

interface ConcernedArtifacts {
  clusters: number
  workloads: number
  artifacts: number
  /** The run that came last, and its first artifact: runs come one after the other. */
  runId: string | undefined
  first: AssessedItem | undefined
  /** Undefined: only those of its first artifact. */
  workloadsOfRun: Set<string> | undefined
  /** The same artifact runs in many clusters, with the same exposure. */
  seen: Set<Exposure>
  /** Something that runs is older for sure. */
  isCertain: boolean
  /** Ids of advisories that affect what runs and not the release. */
  fixes: Set<string>
}

/** Each release of the period, and whether there is an older security fix. */
function questionsIn({ since, until }: Period): (one: AssessedItem) => ExposureQuestion[] {
  return ({ releases }) => [
    ...(releases?.list.all ?? []).flatMap(({ id, publishedAt }): ExposureQuestion[] =>
      publishedAt >= since && publishedAt <= until ? [{ kind: 'release', id }] : [],
    ),
    { kind: 'security' },
  ]
}

function add(concerned: Map<number, ConcernedArtifacts>, { run: { run }, one, exposure }: ExposedArtifact): void {
  const { release } = exposure
  if (!release) return
  const { id } = release
  const found = concerned.get(id) ?? {
    clusters: 0,
    workloads: 0,
    artifacts: 0,
    runId: undefined,
    first: undefined,
    workloadsOfRun: undefined,
    seen: new Set(),
    isCertain: false,
    fixes: new Set(),
  }
  concerned.set(id, found)
  if (!found.seen.has(exposure)) {
    found.seen.add(exposure)
    for (const fixed of fixedBy(one, release)) found.fixes.add(fixed.id)
  }
  if (found.runId !== run.run_id) {
    found.runId = run.run_id
    found.clusters++
    found.first = one
    found.workloadsOfRun = undefined
    found.workloads += placesOf(one.places).workloads.length
  } else {
    found.workloadsOfRun ??= new Set(placesOf(found.first!.places).workloads)
    for (const workload of placesOf(one.places).workloads) {
      if (found.workloadsOfRun.has(workload)) continue
      found.workloadsOfRun.add(workload)
      found.workloads++
    }
  }
  found.artifacts++
  found.isCertain ||= exposure.isCertain
}

const keyOf = ({ run: { run }, one }: ExposedArtifact): string => `${run.run_id} ${one.type} ${one.key}`
