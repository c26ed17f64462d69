import { type PlanLimits, planNames } from '../../../config/plans.ts'
import { unlimited } from '../../../contract/choices.ts'
import type { ClusterTrend } from '../../../contract/cluster-report.ts'
import type { RouteAnswer } from '../../../contract/routes.ts'
import type { Db } from '../../../db/open.ts'
import { invalidParams, missingParams, notFound, ReltError } from '../../../errors.ts'
import { parseRule } from '../../../gate/rules.ts'
import { countAccepted } from '../../../operations/findings/accepted.ts'
import { type Asking, markComparison } from '../../../operations/findings/accepting.ts'
import { endSilenceFor } from '../../../operations/fleet/check-silence.ts'
import { findBaselines } from '../../../operations/runs/baseline.ts'
import { carryOn } from '../../../operations/runs/carry-on.ts'
import { withChecks } from '../../../operations/runs/check-trends.ts'
import { compareReports } from '../../../operations/runs/compare.ts'
import { openContext } from '../../../operations/runs/context.ts'
import { endSubject, openEnd } from '../../../operations/runs/ends.ts'
import { describeScope } from '../../../operations/runs/gaps.ts'
import { openGuidance } from '../../../operations/runs/guidance.ts'
import { prepareRun } from '../../../operations/runs/ingest.ts'
import { passOnJoins } from '../../../operations/runs/joins.ts'
import { openGates, recordGate } from '../../../operations/runs/record-gate.ts'
import { findSubjectNames } from '../../../operations/runs/subjects.ts'
import { toRunGuidance } from '../../../reports/guidance.ts'
import { toInventory } from '../../../reports/inventory.ts'
import type { Owner } from '../../../store/accounts/owner.ts'
import { type Cluster, findCluster, listClusters } from '../../../store/runs/cluster.ts'
import { forgetRun } from '../../../store/runs/finding-history.ts'
import { findLatestRun, listLatestRunsOfAllSeries } from '../../../store/runs/latest-run.ts'
import { findRunAfter, listRuns, listRunsByPrefix, listTrendPoints } from '../../../store/runs/list-runs.ts'
import { getPart } from '../../../store/runs/part.ts'
import { deleteRun, getRun, sumReportBytes } from '../../../store/runs/run.ts'
import type { StoredRun } from '../../../store/runs/stored-run.ts'
import { defined } from '../../../util/defined.ts'
import { JsonText } from '../../../util/json-text.ts'
import { unpack } from '../../../util/pack.ts'
import { daySeconds, formatTimestamp } from '../../../util/time.ts'
import { type CheckedRequest, change, type HandlerContext, type Handlers } from '../../handler.ts'

export const clusterReportHandlers: Handlers<'cluster-report'> = {
  async uploadReport({ db, vault, now, plans }, { body, report, idempotencyKey, owner }) {
    if (!report) throw missingParams({ report: 'is required' })
    const limits = plans[owner.plan]
    const store = await prepareRun(
      db,
      { envelope: body, report, idempotencyKey },
      { ownerId: owner.id, now, vault, onStored: (trx, cluster) => endSilenceFor(trx, cluster, now) },
    )
    return change(limits.reportsMb < unlimited ? `owner:${owner.id} reports` : 'nothing', async (trx) => {
      const result = await store(trx)
      if (!result.duplicate) await requireRoomForReports(trx, owner, limits)
      return result
    })
  },

  async listReports({ db }, { query, owner }) {
    const { cluster_name: name, environment, run_id_prefix: prefix, scanned_until: until, page, per_page } = query
    const { latest } = query
    const choice = { page, perPage: per_page }
    if (prefix !== undefined) {
      const runs = await listRunsByPrefix(db, owner.id, { prefix, name, environment }, choice)
      return { ...runs, run_id_prefix: prefix }
    }
    if (latest) {
      return { ...(await listLatestRunsOfAllSeries(db, { ownerId: owner.id, name, environment }, choice)), latest }
    }
    const cluster = await findCluster(db, { ownerId: owner.id, name, environment })
    if (!cluster) return { page, per_page, total: 0, total_pages: 0, items: [], environments: [] }
    const all = await listClusters(db, { ownerId: owner.id, name: cluster.name })
    const listed = environment === undefined ? all : [cluster]
    const runs = await listRuns(
      db,
      listed.map(({ id }) => id),
      choice,
      until,
    )
    return { ...runs, environments: all.map((each) => each.environment) }
  },

  compareReports: compare,

  async reportTrends({ db, now, vault }, { query, owner }) {
    const { cluster_name: name, environment, window_days, group_by_cluster, checks } = query
    const complete = (trends: ClusterTrend[]) => (checks ? withChecks(db, trends, vault) : trends)
    const wanted = { ownerId: owner.id, name, environment }
    const since = now - window_days * daySeconds
    const trendsFor = async (cluster: Cluster): Promise<ClusterTrend[]> => {
      const place = { cluster_name: cluster.name, environment: cluster.environment }
      const all = await listTrendPoints(db, cluster.id, since)
      if (all.length === 0) return [{ ...place, points: [] }]
      const latest = all.map((series) => series.latest)
      const subjects = await findSubjectNames(db, vault, latest)
      return all.map(({ latest: { rowId }, ...series }) => {
        const subject = subjects.get(rowId)
        return { ...place, ...series, ...(subject !== undefined && { subject }) }
      })
    }
    if (group_by_cluster) {
      const clusters: ClusterTrend[] = []
      for (const cluster of await listClusters(db, wanted)) clusters.push(...(await trendsFor(cluster)))
      return { success: true, window_days, clusters: await complete(clusters) }
    }
    const cluster = await findCluster(db, wanted)
    const unknown = { cluster_name: name ?? '', environment: environment ?? 'prod', points: [] }
    const found = cluster ? await trendsFor(cluster) : [unknown]
    const [first = found[0]!, ...others] = await complete(found)
    return {
      success: true,
      window_days,
      ...first,
      ...(others.length > 0 && { other_scanners: others }),
      ...(await leftOut(db, owner.id, cluster, environment)),
    }
  },

  async getReport({ db, vault, now }, { params, query, owner }) {
    const stored = await getRun(db, owner.id, params.run_id)
    const { id, run } = stored
    const sealed = await sealedOf(db, stored, { ownerId: owner.id, vault, now })
    const whole = { ...run, ...sealed }
    if (!query.include_report) return whole
    const opened = await vault()
    const { artifacts } = await openContext(db, opened, id, run.run_id)
    const packed = opened.open(run.run_id, await getPart(db, id, 'report'))
    return { ...whole, inventory: toInventory(artifacts), report: new JsonText(unpack(packed)) }
  },

  async reportFreshness({ db, vault, now }, { params, query, owner }) {
    const run = await getRun(db, owner.id, params.run_id)
    const { explain, ...choice } = query
    const { assessRun } = await import('../../../operations/freshness/of-run.ts')
    return assessRun(db, run, { vault, now, explain, choice })
  },

  async recordGate({ db, vault, now }, { params, body, user, owner }) {
    const { clusterId } = await getRun(db, owner.id, params.run_id)
    const opened = await vault()
    return change(`cluster:${clusterId} runs`, async (trx) => {
      const run = await getRun(trx, owner.id, params.run_id)
      return { success: true, ...(await recordGate(trx, opened, run, { record: body, by: user.login, now })) }
    })
  },

  async endSubject({ db, vault, now }, { params, body, user, owner }) {
    const { clusterId } = await getRun(db, owner.id, params.run_id)
    const opened = await vault()
    return change(`cluster:${clusterId} runs`, async (trx) => {
      const stored = await getRun(trx, owner.id, params.run_id)
      const end = await endSubject(trx, opened, stored, { at: now, reason: body.reason, by: user })
      const { run_id, cluster_name, environment, format, findings } = stored.run
      const subject = await nameSubject(trx, stored, vault)
      return { success: true, run_id, cluster_name, environment, format, subject: subject ?? null, ...end, findings }
    })
  },

  async deleteReport({ db, vault }, { params, owner }) {
    const last = await getRun(db, owner.id, params.run_id)
    const opened = (await findRunAfter(db, last)) && (await vault())
    return change(`cluster:${last.clusterId} runs`, async (trx) => {
      const run = await getRun(trx, owner.id, params.run_id)
      const next = await findRunAfter(trx, run)
      await passOnJoins(trx, vault, run)
      await forgetRun(trx, run)
      await deleteRun(trx, run)
      if (next && opened) await carryOn(trx, opened, next.id)
      return { success: true }
    })
  },
}

async function nameSubject(db: Db, { id, run }: StoredRun, vault: Asking['vault']) {
  return (await findSubjectNames(db, vault, [{ rowId: id, runId: run.run_id }])).get(id)
}

/** A run is also returned if the store's key is missing. */
async function sealedOf(db: Db, run: StoredRun, asking: Asking) {
  try {
    const opened = await asking.vault()
    const scope = await describeScope(db, opened, run)
    const gate = run.run.gate && { ...run.run.gate, policies: await openGates(db, opened, run) }
    const subject = await nameSubject(db, run, asking.vault)
    const ended = await openEnd(db, opened, run)
    const accepted_findings = await countAccepted(db, run, asking)
    const accepted = accepted_findings > 0 && { accepted_findings }
    return {
      gate,
      ...scope,
      ...accepted,
      ...defined({ subject, ended }),
      ...toRunGuidance(await openGuidance(db, opened, run)),
    }
  } catch (error) {
    if (error instanceof ReltError && error.code === 'key_unavailable') return {}
    throw error
  }
}

/** Checks the total including the new report: throwing rolls the upload back. Throws `forbidden`. */
async function requireRoomForReports(trx: Db, { id, plan }: Owner, { reportsMb }: PlanLimits) {
  if (reportsMb >= unlimited || (await sumReportBytes(trx, id)) <= reportsMb * 1024 * 1024) return
  throw new ReltError('forbidden', `The limit of the plan ${planNames[plan]} is ${reportsMb} MB of reports.`, {
    hint: 'Delete reports that are no longer used.',
  })
}

async function compare(
  { db, vault, now }: HandlerContext,
  { query, owner }: CheckedRequest<'compareReports'>,
): Promise<RouteAnswer<'compareReports'>> {
  const { cluster_name: name, environment, from_run_id, to_run_id, baseline: asked, since } = query
  const isNamed = from_run_id !== undefined || to_run_id !== undefined
  const cluster = isNamed ? undefined : await findCluster(db, { ownerId: owner.id, name, environment })
  if (!cluster && !isNamed) throw notFound(name ? `report of cluster ${name}` : 'run')
  const wanted = { ownerId: owner.id, clusterId: cluster?.id, fromRunId: from_run_id, toRunId: to_run_id, since, vault }
  const found = await compareReports(db, {
    ...wanted,
    baseline: asked === undefined ? undefined : await findBaseline(db, { ...wanted, asked, rule: query.rule, now }),
  })
  const comparison = await markComparison(db, found, { ownerId: owner.id, vault, now })
  const told = since !== undefined && { since: formatTimestamp(since) }
  return { ...comparison, ...told, ...(!isNamed && (await leftOut(db, owner.id, cluster, environment))) }
}

/** What to compare with, and what of it passed only for a time. Throws `not_found` without one. */
async function findBaseline(
  db: Db,
  {
    ownerId,
    clusterId,
    toRunId,
    asked,
    rule,
    now,
  }: Parameters<typeof compareReports>[1] & {
    asked: string
    rule: string | undefined
    now: number
  },
) {
  const to = toRunId === undefined ? await findLatestRun(db, clusterId!) : await getRun(db, ownerId, toRunId)
  if (!to) throw notFound('run')
  const parsed = parseRule(rule ?? 'new>=info')
  if (!parsed) throw invalidParams({ rule: 'is not a rule' })
  const [own] = await findBaselines(db, to, [parsed], { ownerId, now })
  const [found] = await findBaselines(db, to, [parsed], { ownerId, now, asked })
  if (found?.why === 'none' && asked !== 'none') throw new ReltError('not_found', `Nothing to compare with: ${asked}.`)
  const held = own?.run?.id === found?.run?.id ? own?.held.map(({ fingerprint }) => fingerprint) : undefined
  return { from: found?.run, held: held ?? [] }
}

/** The other environments of a cluster, if none was requested. */
async function leftOut(
  db: Db,
  ownerId: number,
  cluster: Cluster | undefined,
  asked: string | undefined,
): Promise<{ other_environments?: string[] }> {
  if (!cluster || asked !== undefined) return {}
  const all = await listClusters(db, { ownerId, name: cluster.name })
  return { other_environments: all.flatMap(({ id, environment }) => (id === cluster.id ? [] : [environment])) }
}
