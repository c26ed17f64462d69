import type { Db } from '../../db/open.ts'
import { ClusterNames } from '../../reports/cluster-names.ts'
import { findRecord, fingerprintsAt, recordLength, widenRecords } from '../../reports/finding-records.ts'
import { Fingerprinter, fingerprintLength } from '../../reports/fingerprint.ts'
import { readFindings } from '../../reports/read-findings.ts'
import { namesIn } from '../../reports/reported-names.ts'
import type { FingerprintPairs } from '../../store/runs/earlier-finding.ts'
import type { OutdatedRun } from '../../store/runs/identity.ts'
import { getFindingRecords, getPart } from '../../store/runs/part.ts'
import { unpack } from '../../util/pack.ts'
import type { Vault } from '../keys/vault.ts'
import type { RunContext } from './context.ts'

interface Reread {
  report: Buffer
  context: RunContext
  /** Names of nodes by current rules. */
  nodes: string[] | undefined
  /** The run's records by current rules, as stored. */
  records: Buffer
}

/** Finds findings of a run whose fingerprint changed with the rules, by comparing their stored texts. */
export async function findMovedFingerprints(
  db: Db,
  vault: Vault,
  run: OutdatedRun,
  { report, context, nodes, records }: Reread,
): Promise<FingerprintPairs> {
  const none = { earlier: Buffer.alloc(0), later: Buffer.alloc(0) }
  const before = widenRecords(await getFindingRecords(db, run.id), run.identityVersion)
  if (!before) return none
  const { checks, namespaces, suppressed, places, artifacts } = context
  const moved: number[] = []
  for (let at = 0; at < before.length; at += recordLength) {
    if (findRecord(records, fingerprintsAt(before, [at])) === undefined) moved.push(at)
  }
  const findings = await readFindings(
    {
      index: { records: before, checks, namespaces, suppressed, ...(places && { places }) },
      details: async (block) => unpack(vault.open(run.runId, await getPart(db, run.id, 'details', block))),
      showFingerprints: (stored) => stored,
    },
    moved,
  )
  const isOfKubebuddy = run.format === 'kubebuddy'
  const names = new ClusterNames(
    isOfKubebuddy ? { ...namesIn(report), owners: artifacts.owners } : { nodes: new Set(nodes) },
  )
  const fingerprinter = new Fingerprinter(names)
  const now = vault.hideFingerprints(
    Buffer.from(findings.map((finding) => fingerprinter.of(finding.check_id, finding)).join(''), 'latin1'),
  )
  // A finding that current rules do not find in the report is a different one.
  const known = moved.flatMap((at, i) => {
    const later = now.subarray(i * fingerprintLength, (i + 1) * fingerprintLength)
    return findRecord(records, later) === undefined ? [] : [{ earlier: fingerprintsAt(before, [at]), later }]
  })
  return {
    earlier: Buffer.concat(known.map(({ earlier }) => earlier)),
    later: Buffer.concat(known.map(({ later }) => later)),
  }
}
