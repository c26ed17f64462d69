import { expect, test } from 'vitest'
import { saveSourceCheck, summarizeSources } from '../../../src/store/catalog/source.ts'
import { countFailingSources } from '../../../src/store/fleet/metrics.ts'
import { addForeignProject, storeWith } from '../bundled.ts'

test('a source that no longer answers is failing, and one that never answered is not', async () => {
  const db = await storeWith([])
  const projectId = await addForeignProject(db, 'ours')
  const look = (outcome: 'changed' | 'unreachable', at: number) =>
    saveSourceCheck(db, { projectId, kind: 'github', url: 'x', outcome, reason: null, retryAt: null }, at)
  await look('unreachable', 1_800_000_000)
  expect(await summarizeSources(db, 20)).toEqual({ total: 1, failing: 0, items: [] })
  expect(await countFailingSources(db)).toEqual([])
  await look('changed', 1_800_000_100)
  expect(await countFailingSources(db)).toEqual([{ kind: 'github', failing: 0 }])
  await look('unreachable', 1_800_000_200)
  expect(await summarizeSources(db, 20)).toMatchObject({ total: 1, failing: 1, items: [{ outcome: 'unreachable' }] })
  expect(await countFailingSources(db)).toEqual([{ kind: 'github', failing: 1 }])
})
