import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CopyTarget } from '../../../src/db/store-copy/end.ts'
import { openSqliteSource, openSqliteTarget } from '../../../src/db/store-copy/sqlite.ts'
import { copyStore } from '../../../src/operations/store-care/copy-store.ts'
import { temporaryFolder } from '../../helpers/cli.ts'
import { makeSmallCatalog } from '../../helpers/small-store.ts'

/** Copies a store to a target that is damaged in one way before it is read again. */
async function copyWith(damage: (target: CopyTarget) => Partial<CopyTarget>, signal?: AbortSignal) {
  const [home, folder] = [temporaryFolder(), temporaryFolder()]
  await makeSmallCatalog(join(home, 'store'))
  const from = openSqliteSource(join(home, 'store', 'relt.db'))
  const openTarget = async () => {
    const target = await openSqliteTarget(join(folder, 'relt.db'))
    const damaged = damage(target)
    return new Proxy(target, {
      get: (_, name: keyof CopyTarget) => damaged[name] ?? (target[name] as (() => unknown) | undefined)?.bind(target),
    })
  }
  try {
    await copyStore({ from, openTarget, signal })
    return { error: undefined, files: readdirSync(folder) }
  } catch (error) {
    return { error, files: readdirSync(folder) }
  } finally {
    await from.close()
  }
}

test('a copy without damage is published', async () => {
  expect(await copyWith(() => ({}))).toEqual({ error: undefined, files: ['relt.db'] })
})

test('a copy that lost a row, or a bit of one, is not published', async () => {
  const lost = await copyWith((target) => ({
    writeRows: (table, batches) => target.writeRows(table, table.name === 'release' ? noBatches() : batches),
  }))
  // Nothing was read from the source then.
  expect(lost).toMatchObject({ error: { message: expect.stringContaining('The copy of release differs: 0 of') } })
  const flipped = await copyWith((target) => ({
    async *readRows(table) {
      for await (const { rows, tuples } of target.readRows(table)) {
        const changed = Buffer.from(tuples)
        if (table.name === 'project') changed[changed.length - 1]! ^= 1
        yield { rows, tuples: changed }
      }
    },
  }))
  expect(flipped).toMatchObject({
    error: { message: expect.stringMatching(/^The copy of project differs: 5 of 5 rows, SHA-256/) },
  })
  expect([lost.files, flipped.files]).toEqual([[], []])
})

async function* noBatches() {}

test('a copy that is cancelled is not published', async () => {
  const cancelled = await copyWith(() => ({ publish: async () => expect.fail('published') }), AbortSignal.abort())
  expect(cancelled).toMatchObject({ error: { code: 'cancelled' }, files: [] })
})
