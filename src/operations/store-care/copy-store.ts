import { createHash } from 'node:crypto'
import { setImmediate as giveWay } from 'node:timers/promises'
import type { Batch, CopySource, CopyTarget } from '../../db/store-copy/end.ts'
import { type TableShape, tableShapes } from '../../db/store-copy/table-shapes.ts'
import { ReltError } from '../../errors.ts'

export interface CopiedTable {
  table: string
  rows: number
  /** Hash of all rows, ordered by primary key, in PostgreSQL's binary COPY format. */
  sha256: string
}

interface CopyOptions {
  from: CopySource
  /** Opens the target after the source was accepted. */
  openTarget: () => Promise<CopyTarget>
  signal?: AbortSignal | undefined
  /** `done` and `total` count rows: each is copied, then read again. */
  onProgress?: ((done: number, total: number, table: string) => void) | undefined
}

/**
 * Copies all tables of a store as of one moment into an empty one, completely or not at all: the target becomes visible
 * after its rows were read again and compared. Throws `cancelled`, and `store_unusable` for rows that the target cannot
 * store.
 */
export async function copyStore({ from, openTarget, signal, onProgress }: CopyOptions): Promise<CopiedTable[]> {
  const counts = new Map<string, number>()
  for (const shape of tableShapes) counts.set(shape.name, await from.countRows(shape))
  const total = 2 * [...counts.values()].reduce((sum, count) => sum + count, 0)
  let done = 0
  const watch = (shape: TableShape, batches: AsyncIterable<Batch>) =>
    watchRows(shape, batches, (rows) => {
      refuseCancelled(signal)
      done += rows
      onProgress?.(done, total, shape.name)
    })
  const to = await openTarget()
  try {
    const copied: CopiedTable[] = []
    for (const shape of tableShapes) {
      const source = watch(shape, from.readRows(shape))
      await to.writeRows(shape, source.batches)
      copied.push(source.found())
    }
    await to.finish(await from.readLastIds())
    for (const [index, shape] of tableShapes.entries()) {
      const target = watch(shape, to.readRows(shape))
      for await (const _ of target.batches);
      refuseDifference(copied[index]!, target.found(), counts.get(shape.name)!)
    }
    refuseCancelled(signal)
    await to.publish()
    return copied
  } finally {
    await to.close()
  }
}

/** Passes a table's rows on, and returns their count and hash after the last. */
function watchRows({ name: table }: TableShape, batches: AsyncIterable<Batch>, onRows: (rows: number) => void) {
  const hash = createHash('sha256')
  let rows = 0
  async function* pass(): AsyncGenerator<Batch> {
    for await (const batch of batches) {
      // SQLite blocks the thread, but signals must be handled.
      await giveWay()
      hash.update(batch.tuples)
      rows += batch.rows
      onRows(batch.rows)
      yield batch
    }
  }
  return { batches: pass(), found: () => ({ table, rows, sha256: hash.digest('hex') }) }
}

function refuseCancelled(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return
  throw new ReltError('cancelled', 'Interrupted. Nothing was copied, and the target is as it was.')
}

function refuseDifference(source: CopiedTable, target: CopiedTable, counted: number): void {
  if (source.rows === counted && target.rows === counted && source.sha256 === target.sha256) return
  throw new ReltError(
    'store_unusable',
    `The copy of ${source.table} differs: ${target.rows} of ${counted} rows, SHA-256 ${target.sha256} and not ${source.sha256}.`,
    { hint: 'Nothing was copied. Run `relt admin verify` on the source.' },
  )
}
