import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAttempts, writeAttempts } from '../../src/spool/attempts.ts'
import { temporaryFolder } from '../helpers/cli.ts'

const none = { count: 0, lastError: null, refused: false }

test('attempts are read back, and only their owner can read them', () => {
  const file = join(temporaryFolder(), 'a.attempts')
  const attempts = { count: 3, lastError: 'no such cluster', refused: true }
  writeAttempts(file, attempts)
  expect(readAttempts(file)).toEqual(attempts)
  expect(statSync(file).mode & 0o077).toBe(0)
})

test.each([
  ['that is not there', undefined],
  ['that is cut', '{"count":1,'],
  ['that is no object', '[1]'],
  ['without a count', '{"lastError":"x","refused":true}'],
  ['with a count that is not a whole number', '{"count":1.5,"lastError":"x","refused":true}'],
  ['without an error', '{"count":1,"refused":true}'],
])('a file %s means that nothing was tried', (_, content) => {
  const file = join(temporaryFolder(), 'a.attempts')
  if (content !== undefined) writeFileSync(file, content)
  expect(readAttempts(file)).toEqual(none)
})

test.each([['"true"'], ['1'], ['null'], ['false']])('refused is %s: the upload is not refused', (refused) => {
  const file = join(temporaryFolder(), 'a.attempts')
  writeFileSync(file, `{"count":1,"lastError":"x","refused":${refused}}`)
  expect(readAttempts(file)).toEqual({ count: 1, lastError: 'x', refused: false })
})
