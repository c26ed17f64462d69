import type { HeldBack, RuleBaseline } from '../../contract/gate-baseline.ts'
import { severityRank } from '../../contract/severity-rank.ts'
import type { Db } from '../../db/open.ts'
import { notFound } from '../../errors.ts'
import { type GateRule, isAsStrict, isOnChanges, parseRule } from '../../gate/rules.ts'
import {
  type BaselineRow,
  findFirstRuns,
  listBaselines,
  removeBaseline,
  saveBaseline,
} from '../../store/runs/baseline.ts'
import { findCluster } from '../../store/runs/cluster.ts'
import { findLatestOfScanner } from '../../store/runs/latest-run.ts'
import { listRunsOfSeries } from '../../store/runs/list-runs.ts'
import { getRun, getRunById } from '../../store/runs/run.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { daySeconds, formatDay, parseTimestamp, type UnixSeconds } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'
import { findRunBeforeBuild } from './build.ts'

/** What a rule compares a run with. */
export interface Baseline {
  /** Undefined: with nothing, so that all is new, or with what is not known. */
  run: StoredRun | undefined
  why: RuleBaseline['why']
  /** Stored fingerprints, in hexadecimal. */
  held: HeldBack[]
  takenIn?: { run: StoredRun; until: string | null; by: string } | undefined
}

interface Wanted {
  ownerId: number
  /** In place of the rule's own: `previous`, `branch:NAME`, `cluster:NAME`, a run's id or a day. */
  asked?: string | undefined
  /** Commits and days that a policy takes in. */
  takenIn?: string[]
  now: UnixSeconds
}

/**
 * Finds what each rule compares a run with: the last run of its subject in which the rule passed, or a stricter one of its kind;
 * where none passed, the next laxer one. Never another upload of the same build. The run of a pull request is compared with
 * runs of its target branch.
 */
export async function findBaselines(db: Db, to: StoredRun, rules: GateRule[], wanted: Wanted): Promise<Baseline[]> {
  if (wanted.asked !== undefined && wanted.asked !== 'last-passed') {
    const run = await findAsked(db, to, wanted.asked, wanted.ownerId)
    return rules.map(() => ({ run, why: run ? 'asked' : 'none', held: [] }))
  }
  const today = formatDay(wanted.now)
  const rows = (await listBaselines(db, to)).map((row) => ({ ...row, ci: row.ci === null ? null : JSON.parse(row.ci) }))
  const build = to.run.ci?.build_url
  const earlier = rows.filter(
    ({ runRowId, ci }) => runRowId !== to.id && (build === undefined || ci?.build_url !== build),
  )
  const target = to.run.ci?.pull_request ? to.run.ci.target_branch : undefined
  const ofTarget = earlier.filter(({ ci }) => ci?.branch === target)
  const passes = ofTarget.length > 0 && target !== undefined ? ofTarget : earlier
  const [named] = rows.filter(({ rule, until }) => rule === '' && (until === null || until >= today))
  const line = await findTakenIn(db, to, wanted.takenIn ?? [])
  const begun = await findBeginning(db, to)
  const found: Baseline[] = []
  for (const rule of rules) {
    const row = findPass(rule, passes)
    const taken = [line, named && { run: await getRunById(db, named.runRowId), until: named.until, by: named.by }]
      .filter((each) => each !== undefined)
      .filter(({ run }) => row === undefined || isLater(run, row))
      .toSorted((a, b) => b.run.at - a.run.at)[0]
    const own: Baseline = row
      ? { run: await getRunById(db, row.runRowId), why: row.is_begun ? 'begun' : 'passed', held: JSON.parse(row.held) }
      : { ...begun, held: [] }
    if (!taken) found.push(own)
    else if (taken === line || taken.until !== null) found.push({ ...own, takenIn: taken })
    else found.push({ run: taken.run, why: 'taken_in', held: [] })
  }
  return found
}

const isLater = (run: StoredRun, row: BaselineRow): boolean =>
  run.at > row.at || (run.at === row.at && run.id > row.runRowId)

/** The last pass of the rule or of a stricter one, else of the least lax one. */
function findPass<R extends Pick<BaselineRow, 'rule'>>(rule: GateRule, rows: R[]): R | undefined {
  const ofKind = rows.flatMap((row) => {
    const passed = parseRule(row.rule)
    return passed?.kind === rule.kind ? { row, passed } : []
  })
  const strict = ofKind.find(({ passed }) => isAsStrict(passed, rule))
  if (strict) return strict.row
  const lax = ofKind.filter(({ passed }) => isAsStrict(rule, passed))
  return lax.toSorted((a, b) => laxity(a.passed) - laxity(b.passed))[0]?.row
}

const laxity = (rule: GateRule): number => {
  const { severity, allowed, limit } = { severity: undefined, allowed: 0, limit: 0, ...rule }
  return (severity ? -severityRank(severity) : 0) * 1e9 + (allowed ?? 0) + limit
}

/**
 * The run that begins the baseline of a subject that no rule passed for: its first one, by a person or before any gate. A first
 * run in CI that a gate judged begins nothing: a cache may be gone.
 */
async function findBeginning(db: Db, to: StoredRun): Promise<Pick<Baseline, 'run' | 'why'>> {
  const { first, isInHistory } = await findFirstRuns(db, to)
  if (isInHistory) return { run: undefined, why: 'new_subject' }
  const run = first === undefined ? undefined : await getRunById(db, first)
  const isBegun = run && (run.run.ci === null || (run.run.gate === null && run.id !== to.id))
  return isBegun ? { run, why: 'begun' } : { run: undefined, why: 'none' }
}

/** The latest run of the subject, of one of these commits or days. */
async function findTakenIn(db: Db, to: StoredRun, wanted: string[]): Promise<Baseline['takenIn']> {
  const found = await Promise.all(
    wanted.map(async (by) => {
      const day = parseDay(by)
      const isMeant = ({ run, at }: StoredRun) =>
        day === undefined ? run.ci?.commit === by : at >= day && at < day + daySeconds
      const run = await findInSeries(db, to, isMeant)
      return run && { run, until: null, by }
    }),
  )
  return found.filter((each) => each !== undefined).toSorted((a, b) => b.run.at - a.run.at)[0]
}

const parseDay = (text: string) => (/^\d{4}-\d\d-\d\d$/.test(text) ? parseTimestamp(text) : undefined)

async function findAsked(db: Db, to: StoredRun, asked: string, ownerId: number): Promise<StoredRun | undefined> {
  if (asked === 'none') return undefined
  if (asked === 'previous') return findRunBeforeBuild(db, to)
  const [, kind, name = ''] = /^(branch|cluster):(.+)$/.exec(asked) ?? []
  const findEarlier = (isMeant: (run: StoredRun) => boolean) =>
    findInSeries(db, to, (run) => run.id !== to.id && isMeant(run))
  if (kind === 'branch') return findEarlier(({ run }) => run.ci?.branch === name)
  if (kind === 'cluster') {
    const cluster = await findCluster(db, { ownerId, name })
    if (!cluster) throw notFound('cluster', name)
    return findLatestOfScanner(db, cluster.id, to.run.format)
  }
  const day = parseDay(asked)
  return day === undefined ? getRun(db, ownerId, asked) : findEarlier(({ at }) => at < day + daySeconds)
}

/** Runs of a subject that are searched. */
const mostSearched = 500

/** The latest run of the subject that is meant and not later, candidates included. */
async function findInSeries(
  db: Db,
  to: StoredRun,
  isMeant: (run: StoredRun) => boolean,
): Promise<StoredRun | undefined> {
  const runs = await listRunsOfSeries(db, to.seriesId, mostSearched)
  return runs.find((run) => (run.at < to.at || (run.at === to.at && run.id <= to.id)) && isMeant(run))
}

/** Converts fingerprints to the displayed ones. */
export const showHeld = (vault: Vault, held: HeldBack[]): HeldBack[] =>
  held.map(({ fingerprint, until }) => ({
    fingerprint: vault.showFingerprints(Buffer.from(fingerprint, 'hex')).toString('hex'),
    until,
  }))

/** A rule as a gate judged it, with what it compared with. */
interface RecordedRule {
  rule: string
  verdict: string
  /** The rule passed against its own baseline and used none of its allowance: with what only passes for a time. */
  moves?: { held: HeldBack[] } | undefined
}

/**
 * Moves the baselines of rules that passed. A rule that did not pass keeps the first run as its baseline, so that retention
 * spares it. Runs that are judged only are nobody's baseline.
 */
export async function moveBaselines(
  trx: Db,
  vault: Vault,
  run: StoredRun,
  { rules, by }: { rules: RecordedRule[]; by: string },
): Promise<void> {
  if (run.run.is_candidate) return
  const row = { series_id: run.seriesId, by, made_by: null, until: null }
  for (const { rule: text, verdict, moves } of rules) {
    const rule = parseRule(text)
    if (!rule || !isOnChanges(rule)) continue
    if (verdict === 'passed' && moves) {
      const held = moves.held.map(({ fingerprint, until }) => ({
        fingerprint: vault.hideFingerprints(Buffer.from(fingerprint, 'hex')).toString('hex'),
        until,
      }))
      await saveBaseline(trx, { ...row, run_id: run.id, rule: rule.text, held: JSON.stringify(held) })
    } else {
      if (verdict === 'failed') await removeBaseline(trx, run.id, rule.text)
      const begun = await findBeginning(trx, run)
      const hasPass = findPass(rule, await listBaselines(trx, run)) !== undefined
      if (begun.run && !hasPass) await saveBaseline(trx, { ...row, run_id: begun.run.id, rule: rule.text, is_begun: 1 })
    }
  }
}
