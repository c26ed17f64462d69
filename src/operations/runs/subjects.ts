import type { ReportFormat } from '../../contract/scan-finding.ts'
import type { Db } from '../../db/open.ts'
import { ReltError } from '../../errors.ts'
import { keyOfSubject, nameOfSubjects, type Subject } from '../../reports/ledger.ts'
import { getParts, type SealedPart } from '../../store/runs/part.ts'
import type { Unlock, Vault } from '../keys/vault.ts'

/** Keyed hashes of a run's subjects, by which its series is found. */
export const hashSubjects = (vault: Vault, format: ReportFormat, subjects: Subject[]): Buffer[] =>
  [...new Set(subjects.map((subject) => keyOfSubject(format, subject)))].map((key) =>
    vault.keyedHash('run-subject', key),
  )

/** The names of a run's subjects as a part of their own, which lists read; none for a run about the cluster itself. */
export function sealSubjectNames(vault: Vault, runId: string, subjects: Subject[]): SealedPart[] {
  const names = nameOfSubjects(subjects)
  return names === undefined ? [] : [vault.seal(runId, 'subjects', 0, Buffer.from(names))]
}

/** Names of the subjects of runs, by row id: none of runs about the cluster itself, and none without the store's key. */
export async function findSubjectNames(
  db: Db,
  openVault: Unlock,
  runs: { rowId: number; runId: string }[],
): Promise<Map<number, string>> {
  const parts = await getParts(
    db,
    runs.map(({ rowId }) => rowId),
    'subjects',
  )
  if (parts.size === 0) return new Map()
  const vault = await openVault().catch(unlessKeyless)
  if (!vault) return new Map()
  return new Map(
    runs.flatMap(({ rowId, runId }) => {
      const part = parts.get(rowId)
      return part ? [[rowId, vault.open(runId, part).toString('utf8')]] : []
    }),
  )
}

function unlessKeyless(error: unknown): undefined {
  if (!(error instanceof ReltError) || error.code !== 'key_unavailable') throw error
}
