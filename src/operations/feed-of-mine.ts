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
  const concerned = new ConcernedReleases()
  const behindOlder = new Set<string>()
  const survey = findExposures(
    await findRunningArtifacts(db, asking, { findAdvisories: findKnownAdvisories }),
    questionsIn(period),
    (exposed) => {
      if (exposed.question.kind === 'release') concerned.add(exposed)
      else if (exposed.exposure.release && exposed.exposure.release.publishedAt < period.since)
        behindOlder.add(keyOf(exposed))
    },
  )
  const { catalog_date, looked_at } = await basisOfExposures(db, survey)
  const releases = await listFeedOf(db, [...concerned.byId.keys()], period.limit)
  return {
    catalog_date,
    looked_at: {
      subscriptions: await countSubscriptions(db, asking.userId),
      ...looked_at,
      behind_older_fixes: behindOlder.size,
      ...(concerned.byId.size > period.limit && { truncated: true }),
    },
    releases: releases.map((release) => {
      const { clusters, workloads, artifacts, isCertain, fixes } = concerned.byId.get(release.release_id)!
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
  run: ExposedArtifact['run'] | undefined
  first: AssessedItem | undefined
  /** Undefined: only those of its first artifact. */
  workloadsOfRun: Set<string> | undefined
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

class ConcernedReleases {
  readonly byId = new Map<number, ConcernedArtifacts>()
  /** The same artifact runs in many clusters, with the same exposure: most are found by it. */
  readonly #byExposure = new Map<Exposure, ConcernedArtifacts>()

  add({ run, one, exposure }: ExposedArtifact): void {
    const found = this.#byExposure.get(exposure) ?? this.#begin(one, exposure)
    if (!found) return
    if (found.run !== run) {
      found.run = run
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

  #begin(one: AssessedItem, exposure: Exposure): ConcernedArtifacts | undefined {
    const { release } = exposure
    if (!release) return
    const found = this.byId.get(release.id) ?? {
      clusters: 0,
      workloads: 0,
      artifacts: 0,
      run: undefined,
      first: undefined,
      workloadsOfRun: undefined,
      isCertain: false,
      fixes: new Set<string>(),
    }
    this.byId.set(release.id, found)
    this.#byExposure.set(exposure, found)
    for (const fixed of fixedBy(one, release)) found.fixes.add(fixed.id)
    return found
  }
}

const keyOf = ({ run: { run }, one }: ExposedArtifact): string => `${run.run_id} ${one.type} ${one.key}`
