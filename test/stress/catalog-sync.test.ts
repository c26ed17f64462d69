import { test } from 'vitest'
import { interruptSync, killSyncs, syncTwice } from '../helpers/catalog-syncs.ts'

test('a second sync of 300 projects is answered with "not modified", and writes nothing into the store', () =>
  syncTwice(300))

test('four syncs of 300 projects that are killed in the middle lose nothing and double nothing', () =>
  killSyncs(300, [90, 280, 470, 660]))

test('a sync that is interrupted tells what it did, and what it did stays', () => interruptSync(60))
