import { expect, test } from 'vitest'
import {
  bytesOfId,
  isEntryId,
  newEntryId,
  serverTag,
  serverTagOfId,
  timeOfId,
  uploadTag,
  uploadTagOfId,
} from '../../src/spool/entry-id.ts'

const parts = { serverUrl: 'https://radar.example', identity: 'a', bytes: 1025, last: undefined }
const older = 'spl_0m9x2k4fd1c0ffee2'

test('an id tells its server, its upload and its size', () => {
  const id = newEntryId(parts)
  expect(isEntryId(id)).toBe(true)
  expect(id).toHaveLength(25)
  expect(serverTagOfId(id)).toBe(serverTag('https://radar.example'))
  expect(uploadTagOfId(id)).toBe(uploadTag('a'))
  expect(bytesOfId(id)).toBe(2048)
  expect(serverTag('https://radar.example')).not.toBe(serverTag('https://other.example'))
  expect(uploadTag('a')).not.toBe(uploadTag('b'))
})

test('ids of one millisecond differ', () => {
  const ids = Array.from({ length: 100 }, () => newEntryId(parts).slice(13))
  expect(new Set(ids).size).toBeGreaterThan(95)
})

test('an id sorts after the last one, also when the clock was set back', () => {
  const ahead = `spl_${(Date.now() + 3_600_000).toString(36).padStart(9, '0')}${'0'.repeat(12)}`
  const id = newEntryId({ ...parts, last: ahead })
  expect(timeOfId(id)).toBe(timeOfId(ahead) + 1)
  expect(Math.abs(timeOfId(newEntryId(parts)) - Date.now())).toBeLessThan(60_000)
})

test('an id of an older version has no tags and no size', () => {
  expect(isEntryId(older)).toBe(true)
  expect([serverTagOfId(older), uploadTagOfId(older), bytesOfId(older)]).toEqual([undefined, undefined, undefined])
})

test.each([
  '',
  'spl_',
  `${older}0`,
  older.slice(0, -1),
  `x${older}`,
  'spl_0m9x2k4fdXXXXXXXX',
  '../spl_0m9x2k4fd1c0ffee2',
])('%j is no id', (text) => expect(isEntryId(text)).toBe(false))
