import type { Db } from '../../db/open.ts'
import type { Artifacts } from '../../reports/artifact.ts'
import type { CheckInfo, SuppressedRow } from '../../reports/finding-index.ts'
import type { Subject } from '../../reports/ledger.ts'
import type { PlaceSets } from '../../reports/place-sets.ts'
import type { Scope } from '../../reports/read.ts'
import type { Look } from '../../reports/run-findings.ts'
import type { NotRunCheck, Scan } from '../../reports/scan.ts'
import { getPart, type SealedPart } from '../../store/runs/part.ts'
import { defined } from '../../util/defined.ts'
import { unpack } from '../../util/pack.ts'
import type { Vault } from '../keys/vault.ts'

/** Sealed parts of a run, stored apart from its report so that comparing and freshness need not read the report. */
export interface RunContext {
  subjects: Subject[]
  /** Further subjects, of findings that are carried over. */
  carriedSubjects?: Subject[] | undefined
  /** What this run and those before it looked at; absent if they looked at no more. */
  known?: Look | undefined
  /** The run that was taken in without what earlier ones read; scores since then are of less. */
  droppedBy?: string | undefined
  scope: Scope
  checks: CheckInfo[]
  namespaces: string[]
  artifacts: Artifacts
  checksNotRun: NotRunCheck[]
  suppressed: SuppressedRow[]
  places?: PlaceSets
  /** Keys of pods that nothing owns. */
  bare?: string[]
}

export function contextFor({ subjects, scope, artifacts, checksNotRun, index }: Scan): RunContext {
  const { checks, namespaces, suppressed, places, bare } = index
  return { subjects, scope, checks, namespaces, artifacts, checksNotRun, suppressed, ...defined({ places, bare }) }
}

export async function openContext(db: Db, vault: Vault, runRowId: number, runId: string): Promise<RunContext> {
  return readContext(vault, runId, await getPart(db, runRowId, 'context'))
}

export const readContext = (vault: Vault, runId: string, part: SealedPart): RunContext => openPart(vault, runId, part)

/** Opens a part that is JSON. */
export const openPart = <T>(vault: Vault, runId: string, part: SealedPart): T =>
  JSON.parse(unpack(vault.open(runId, part)).toString('utf8'))

/** Merges artifacts of clusters into one list, which suffices for catalog lookups. */
export function mergeArtifacts(all: Artifacts[]): Pick<Artifacts, 'images' | 'charts' | 'apps' | 'nodes'> {
  return {
    images: all.flatMap(({ images }) => images),
    charts: all.flatMap(({ charts }) => charts),
    apps: all.flatMap(({ apps }) => apps),
    nodes: all.flatMap(({ nodes }) => nodes ?? []),
  }
}
