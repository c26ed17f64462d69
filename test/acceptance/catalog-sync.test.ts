import { test } from 'vitest'
import { interruptSync, killSyncs, syncTwice } from '../helpers/catalog-syncs.ts'

test('a second sync is answered with "not modified", and writes nothing into the store', () => syncTwice(60))

test('syncs that are killed in the middle lose nothing and double nothing', () => killSyncs(60, [40, 100]))

test('a sync that is interrupted tells what it did, and what it did stays', () => interruptSync(60))
