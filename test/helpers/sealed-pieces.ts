import type { Db } from '../../src/db/open.ts'
import { listPlaces } from '../../src/store/keys/sealed-piece.ts'

export async function sealedPieceCount(db: Db): Promise<number> {
  return (await listPlaces(db)).length
}
