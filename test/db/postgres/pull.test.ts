import { expect, test } from 'vitest'
import { bundledStateFacts } from '../../../src/catalog/state-facts.ts'
import { pullCatalog } from '../../../src/operations/catalog/pull.ts'
import { findBundle } from '../../../src/operations/facts/bundle.ts'
import { addFacts, laterBundle, laterDay, newKey, publish, signed } from '../../operations/catalog/publisher.ts'
import { dump, now, openCatalogService } from '../../operations/service.ts'

test('a bundle is pulled into PostgreSQL, and answers from there', async () => {
  const { db } = await openCatalogService()
  const key = newKey()
  const { address } = await publish(await signed(laterBundle(addFacts), key))
  const pull = () =>
    pullCatalog({ db, now: () => now }, { env: {}, signal: new AbortController().signal, address, key: key.publicKey })
  expect(await pull()).toMatchObject({ isNew: true, date: laterDay })
  expect(await findBundle(db)).toMatchObject({ date: laterDay, edition: 1 })
  const retired = bundledStateFacts(await findBundle(db)).projects.map(({ slug }) => slug)
  expect(retired).toContain('keda')
  const before = await dump(db)
  expect(await pull()).toBeUndefined()
  expect(await dump(db)).toEqual(before)
})
