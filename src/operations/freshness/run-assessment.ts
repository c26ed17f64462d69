import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'
import {
  type AssessedItem,
  assessArtifacts,
  CoverageCount,
  type CoverageState,
  type FoundArtifact,
  lookupKeys,
  prepareCatalog,
  toFound,
} from '../../freshness/index.ts'
import { findCatalogRevision, getCatalogRevision } from '../../store/catalog/revision.ts'
import type { InventoryRun } from '../../store/runs/latest-run.ts'
import { getParts, type SealedPart, saveAssessment } from '../../store/runs/part.ts'
import { lockRuns } from '../../store/runs/run.ts'
import { pack, unpack } from '../../util/pack.ts'
import { RecentValues } from '../../util/recent-values.ts'
import { remember } from '../../util/remember.ts'
import { version } from '../../version.ts'
import { getCatalogDate } from '../catalog/bundled.ts'
import { findCatalog } from '../catalog/view.ts'
import type { Unlock, Vault } from '../keys/vault.ts'
import { mergeArtifacts, readContext } from '../runs/context.ts'
import { findKnownAdvisories } from './known-advisories.ts'

/** Assessment of a run's artifacts, based on one revision of the catalog. */
export interface RunAssessment {
  /** Catalog revision and program version that it is based on. */
  basis: string
  coverage: CoverageState
  /**
   * Number of affected artifacts by their worst advisory; `known`: artifacts whose version can be compared with advisories.
   */
  affected: { artifacts: number; critical: number; high: number; known: number }
  /** Project id → JSON of `FoundArtifact[]`, parsed on demand: most queries are about few projects. */
  artifacts: Record<string, string>
}

declare const RELT_BUILD: string
const build = typeof RELT_BUILD === 'string' ? RELT_BUILD : 'source'

/**
 * Assessments of runs, in the same order. Stored ones are opened, missing ones computed and stored: the catalog rarely
 * changes, and matching all artifacts of a hundred clusters takes a second.
 */
export async function findAssessments(db: Db, runs: InventoryRun[], { vault, now }: { vault: Unlock; now: number }) {
  if (runs.length === 0) return []
  await getCatalogDate(db, now)
  // Read before the catalog: a concurrent change ends this revision.
  const revision = await getCatalogRevision(db)
  const basis = toBasis(revision)
  const keys = await vault()
  const found = new Map(revision === undefined ? [] : await findKnown(db, runs, { vault: keys, basis }))
  const allMissing = runs.filter(({ id }) => !found.has(id))
  for (let start = 0; start < allMissing.length; start += assessedAtOnce) {
    const missing = allMissing.slice(start, start + assessedAtOnce)
    const contexts = await getParts(db, toIds(missing), 'context')
    const made = await assessRuns(db, missing, { basis, contexts, vault: keys, now })
    for (const [id, assessment] of made) found.set(id, assessment)
    if (revision === undefined) continue
    const sealed = missing.map(({ id, run }) => ({
      id,
      assessment: seal(keys, run.run_id, made.get(id)!),
      context: contexts.get(id)!,
    }))
    await saveSealed(db, sealed, revision)
  }
  return runs.map(({ id }) => found.get(id)!)
}

/** Assessments of this basis that this process has opened, or that the store has. */
async function findKnown(db: Db, runs: InventoryRun[], { vault, basis }: { vault: Vault; basis: string }) {
  const known = new Map<number, RunAssessment>()
  for (const run of runs) {
    const assessment = opened.get(toKey(run))
    if (assessment?.basis === basis) known.set(run.id, assessment)
  }
  const unopened = runs.filter(({ id }) => !known.has(id))
  const stored = await getParts(db, toIds(unopened), 'assessment')
  for (const run of unopened) {
    const part = stored.get(run.id)
    const assessment = part && readAssessment(vault, run, { part, basis })
    if (assessment) known.set(run.id, assessment)
  }
  return known
}

const toIds = (runs: InventoryRun[]) => runs.map(({ id }) => id)

/** Stored in batches, so that a query aborted for its cost still makes progress. */
const assessedAtOnce = 200

/** Seals the assessment of a run for the store. */
export function sealAssessment(vault: Vault, runId: string, assessed: AssessedItem[], revision: string): SealedPart {
  return seal(vault, runId, describe(assessed, toBasis(revision)))
}

const seal = (vault: Vault, runId: string, assessment: RunAssessment) =>
  vault.seal(runId, 'assessment', 0, pack(JSON.stringify(assessment)))

export const toBasis = (revision: string | undefined) => `${revision} ${version} ${build}`

const parsed = new WeakMap<RunAssessment, Map<number, FoundArtifact[]>>()

/** Artifacts of the assessment, shared between calls: do not modify them. */
export function toFoundArtifacts(assessment: RunAssessment, projectId: number): FoundArtifact[] {
  const text = assessment.artifacts[projectId]
  if (text === undefined) return []
  const known = remember(parsed, assessment, () => new Map<number, FoundArtifact[]>())
  return remember(known, projectId, () => JSON.parse(text))
}

/**
 * Cache of opened assessments, limited by their length in characters: opening a thousand takes longer than the rest of a
 * query. The key contains the identity version and catalog revision, so the store need not be read.
 */
const opened = new RecentValues<RunAssessment>(8_000_000)

const toKey = ({ run }: InventoryRun) => run.run_id

/** Undefined if another revision or program made it. */
function readAssessment(vault: Vault, run: InventoryRun, { part, basis }: { part: SealedPart; basis: string }) {
  const text = unpack(vault.open(run.run.run_id, part)).toString('utf8')
  const assessment: RunAssessment = JSON.parse(text)
  if (assessment.basis !== basis) return undefined
  opened.set(toKey(run), assessment, text.length)
  return assessment
}

async function assessRuns(
  db: Db,
  runs: InventoryRun[],
  { basis, contexts, vault, now }: { basis: string; contexts: Map<number, SealedPart>; vault: Vault; now: number },
) {
  const read = runs.map(({ id, run }) => ({
    id,
    artifacts: readContext(vault, run.run_id, contexts.get(id)!).artifacts,
  }))
  const keys = lookupKeys(mergeArtifacts(read.map(({ artifacts }) => artifacts)))
  const known = prepareCatalog(await findCatalog(db, keys, now, findKnownAdvisories), now)
  return new Map(read.map(({ id, artifacts }) => [id, describe(assessArtifacts(artifacts, known), basis)]))
}

function describe(assessed: AssessedItem[], basis: string): RunAssessment {
  const affected = { artifacts: 0, critical: 0, high: 0, known: 0 }
  const byProject = new Map<number, FoundArtifact[]>()
  for (const [position, one] of assessed.entries()) {
    const found = toFound(one, position)
    const projectId = one.match.project?.id
    if (found && projectId !== undefined) byProject.set(projectId, [...(byProject.get(projectId) ?? []), found])
    if (!one.security) continue
    affected.known++
    const [worst] = one.security.advisories
    if (worst) affected.artifacts++
    if (worst?.severity === 'critical' || worst?.severity === 'high') affected[worst.severity]++
  }
  return {
    basis,
    coverage: new CoverageCount().add(assessed).state(),
    affected,
    artifacts: Object.fromEntries([...byProject].map(([id, found]) => [id, JSON.stringify(found)])),
  }
}

interface Sealed {
  /** Row id of the run. */
  id: number
  assessment: SealedPart
  /** The context that the assessment is based on. */
  context: SealedPart
}

/** If saving fails, nothing is lost: the next query computes them again. */
export async function saveSealed(db: Db, sealed: Sealed[], revision: string) {
  try {
    await write(db, 'nothing', async (trx) => {
      if ((await findCatalogRevision(trx)) !== revision) return
      await lockRuns(
        trx,
        sealed.map(({ id }) => id),
      )
      for (const { id, assessment, context } of sealed) await saveAssessment(trx, id, { assessment, context })
    })
  } catch (error) {
    if (!(error instanceof ReltError)) throw error
  }
}
