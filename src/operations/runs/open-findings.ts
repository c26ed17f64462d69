import type { Db } from '../../db/open.ts'
import { namesOfRun } from '../../reports/cluster-names.ts'
import type { RunFindings } from '../../reports/run-findings.ts'
import type { LatestRun } from '../../store/runs/latest-run.ts'
import { findRunBefore } from '../../store/runs/list-runs.ts'
import { getPart } from '../../store/runs/part.ts'
import { getFindingRecords } from '../../store/runs/records.ts'
import { unpack } from '../../util/pack.ts'
import type { Vault } from '../keys/vault.ts'
import { openContext } from './context.ts'

interface OpenedRun extends Pick<LatestRun, 'id' | 'clusterId'> {
  run: Pick<LatestRun['run'], 'run_id' | 'format' | 'source_version'>
}

/** Opens a run for comparing and listing. */
export async function openFindings(db: Db, vault: Vault, { id, run }: OpenedRun): Promise<RunFindings> {
  const [records, context] = await Promise.all([getFindingRecords(db, id), openContext(db, vault, id, run.run_id)])
  const { subjects, carriedSubjects, known, scope, checks, namespaces, artifacts, checksNotRun, suppressed, places } =
    context
  return {
    format: run.format,
    sourceVersion: run.source_version,
    subjects,
    carriedSubjects,
    known,
    droppedBy: context.droppedBy,
    scope,
    checksNotRun,
    index: { records, checks, namespaces, suppressed, ...(places && { places }) },
    details: async (block) => unpack(vault.open(run.run_id, await getPart(db, id, 'details', block))),
    images: artifacts.imageSource === 'artifacts' ? artifacts.images : undefined,
    owners: artifacts.owners,
    ownerLabels: artifacts.ownerLabels,
    names: () => namesOfRun(run.format, context, artifacts.owners),
    showFingerprints: (stored) => vault.showFingerprints(stored),
  }
}

/** Operator reports that disappeared more than this many runs ago count as never seen. */
const mostEarlier = 200

/** Like `openFindings`, for the earlier run of a comparison: runs before it are opened on demand. */
export async function openBefore(db: Db, vault: Vault, run: LatestRun): Promise<RunFindings> {
  return {
    ...(await openFindings(db, vault, run)),
    async *earlier() {
      let at: LatestRun | undefined = run
      for (let i = 0; i < mostEarlier; i++) {
        at = await findRunBefore(db, at)
        if (!at) return
        yield openFindings(db, vault, at)
      }
    },
  }
}
