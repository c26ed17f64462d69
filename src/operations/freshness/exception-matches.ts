import type { StoredException } from '../../contract/exception.ts'
import type { Freshness } from '../../contract/freshness.ts'
import type { Db } from '../../db/open.ts'
import { type Exception, Exceptions, exceptionsOfRun } from '../../gate/exception.ts'
import { toException } from '../../gate/stored-exception.ts'
import { readFindings } from '../../reports/read-findings.ts'
import { type LatestRun, listLatestOfAllSeries } from '../../store/runs/latest-run.ts'
import { getRun } from '../../store/runs/run.ts'
import { findCandidates } from '../findings/accepted.ts'
import type { Asking } from '../findings/accepting.ts'
import { openFindings } from '../runs/open-findings.ts'
import { assessRun } from './of-run.ts'

/** Adds to exceptions what they match in the latest run of each scanner. */
export async function withMatches(db: Db, stored: StoredException[], asking: Asking): Promise<StoredException[]> {
  const exceptions = stored.map(toException)
  const counted = stored.map((each) => ({
    ...each,
    matched: 0,
    failed_gates: [] as NonNullable<StoredException['failed_gates']>[number][],
  }))
  const [first, ...others] = exceptions
  if (!first) return counted
  // A single exception needs no runs of clusters that it does not apply to.
  const { cluster: name, environment } = others.length === 0 ? first : {}
  for (const latest of await listLatestOfAllSeries(db, { ownerId: asking.ownerId, name, environment })) {
    const own = exceptionsOfRun(exceptions, latest.run)
    if (own.length === 0) continue
    const matched = await countIn(db, latest, own, asking)
    const { run_id, cluster_name, environment, gate } = latest.run
    exceptions.forEach((exception, i) => {
      const here = matched(exception)
      counted[i]!.matched += here
      if (here > 0 && gate?.verdict === 'failed') {
        counted[i]!.failed_gates.push({ cluster_name, environment, run_id, matched: here })
      }
    })
  }
  return counted
}

async function countIn(db: Db, latest: LatestRun, exceptions: Exception[], asking: Asking) {
  const { ownerId, now } = asking
  const vault = await asking.vault()
  const all = new Exceptions(exceptions, '')
  const ofUpgrades = new Exceptions(exceptions, '')
  const found = await findCandidates(
    latest.id,
    exceptions.filter(({ artifact }) => artifact === undefined),
    { db, vault, open: () => openFindings(db, vault, latest) },
  )
  if (found) {
    for (const finding of await readFindings(found.run, found.offsets)) {
      all.forFinding(finding)
      all.forVulnerability(finding)
    }
  }
  if (exceptions.some(({ artifact, advisory }) => artifact !== undefined || advisory !== undefined)) {
    const run = await getRun(db, ownerId, latest.run.run_id)
    meetArtifacts(await assessRun(db, run, { vault: asking.vault, now, explain: false }), all, ofUpgrades)
  }
  const [counted, ofUpgrade] = [countUses(all), countUses(ofUpgrades)]
  return ({ source }: Exception) => Math.max(counted.get(source) ?? 0, ofUpgrade.get(source) ?? 0)
}

/** A blocker of an upgrade is excepted by the project's slug and version, in place of the artifact's key. */
function meetArtifacts({ items, nodes = [] }: Freshness, all: Exceptions, ofUpgrades: Exceptions) {
  for (const item of items) {
    all.forArtifact(item)
    for (const advisory of item.advisories ?? []) all.forAdvisory(item, advisory)
    const { source_product_slug: slug, current_version: version, artifact_type: type } = item
    if (slug !== null) ofUpgrades.forArtifact({ artifact_key: `${slug}@${version ?? ''}`, namespace: null })
    if (type === 'kubernetes') ofUpgrades.forArtifact({ artifact_key: 'kubernetes', namespace: null })
  }
  for (const { artifact_key } of nodes) all.forArtifact({ artifact_key, namespace: null })
}

const countUses = (exceptions: Exceptions) =>
  new Map(
    Object.values(exceptions.uses())
      .flat()
      .map(({ source, matched }) => [source, matched]),
  )
