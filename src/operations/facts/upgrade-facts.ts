import type { ApiRemoval, BreakingChange, Compatibility } from '../../contract/upgrade-facts.ts'
import type { Db } from '../../db/open.ts'
import { listStateFacts, type StoredStateFacts } from '../../store/facts/state-fact.ts'
import { UpgradeFacts } from '../../upgrade/facts.ts'

let bundled: UpgradeFacts | undefined

/** The bundled facts for plans, and the operator's own, which replace those about the same line. */
export async function findUpgradeFacts(db: Db): Promise<UpgradeFacts> {
  const stored = (await listStateFacts(db, ['compatibility', 'removal', 'breaking'])).filter(
    ({ facts }) => facts.length > 0,
  )
  const { bundledUpgradeFacts } = await import('../../catalog/upgrade-facts.ts')
  if (stored.length === 0) {
    bundled ??= new UpgradeFacts(bundledUpgradeFacts())
    return bundled
  }
  const known = bundledUpgradeFacts()
  return new UpgradeFacts({
    ...known,
    compatibility: [...known.compatibility, ...own<Compatibility>(stored, 'compatibility').map(markOwn)],
    removals: [...known.removals, ...own<ApiRemoval>(stored, 'removal')],
    breaking: [...known.breaking, ...own<BreakingChange>(stored, 'breaking')],
  })
}

function own<T>(stored: StoredStateFacts[], kind: StoredStateFacts['kind']): T[] {
  return stored.filter((one) => one.kind === kind).flatMap(({ facts }) => facts as T[])
}

const markOwn = (row: Compatibility): Compatibility => ({ ...row, own: true })
