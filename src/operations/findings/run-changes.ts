import type { Comparison } from '../../contract/cluster-report.ts'
import { recordLength } from '../../reports/finding-records.ts'
import { fingerprintLength } from '../../reports/fingerprint.ts'
import type { RunChanges } from '../../store/findings/scanner-change.ts'
import type { Vault } from '../keys/vault.ts'

export type ChangeState = 'new' | 'regressed'

type Fingerprints = { fingerprint: string }[]

/** Key: stored fingerprint. */
export function toStates(vault: Vault, changed: Record<ChangeState, Fingerprints>): Map<string, ChangeState> {
  const toStored = (findings: Fingerprints) =>
    vault.hideFingerprints(Buffer.concat(findings.map(({ fingerprint }) => Buffer.from(fingerprint, 'hex'))))
  return statesIn({ new: toStored(changed.new), regressed: toStored(changed.regressed) }, fingerprintLength)
}

/** Like `toStates`, for stored changes. */
export const storedStates = (changes: RunChanges): Map<string, ChangeState> => statesIn(changes, recordLength)

function statesIn(bytes: Record<ChangeState, Buffer>, stride: number): Map<string, ChangeState> {
  const states = new Map<string, ChangeState>()
  for (const state of ['new', 'regressed'] as const) {
    for (let at = 0; at < bytes[state].length; at += stride) states.set(keyAt(bytes[state], at), state)
  }
  return states
}

/** More changes are not stored: lists read the changes of many runs at once. */
const mostStored = 1000

/** The changes to store; `records` are those of the newer run. Undefined if there are too many. */
export function toChanges(
  vault: Vault,
  records: Buffer,
  { new_findings, regressed_findings, incomparable_findings_count }: Comparison,
  most = mostStored,
): RunChanges | undefined {
  if (new_findings.length + regressed_findings.length > most) return undefined
  const states = toStates(vault, { new: new_findings, regressed: regressed_findings })
  const found: Record<ChangeState, Buffer[]> = { new: [], regressed: [] }
  for (let at = 0; at < records.length; at += recordLength) {
    const state = states.get(keyAt(records, at))
    if (state) found[state].push(records.subarray(at, at + recordLength))
  }
  return {
    new: Buffer.concat(found.new),
    regressed: Buffer.concat(found.regressed),
    incomparable: incomparable_findings_count,
  }
}

export const keyAt = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + fingerprintLength)
