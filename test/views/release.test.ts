import { expect, test } from 'vitest'
import { securityWord } from '../../src/views/release.ts'

test.each([
  [{ has_security_fix: false, security_severity: 'none' as const }, '-'],
  [{ has_security_fix: true, security_severity: 'none' as const }, 'yes'],
  [{ has_security_fix: true }, 'yes'],
  [{ has_security_fix: true, security_severity: 'high' as const }, 'high'],
  [{ security_severity: 'low' as const }, 'low'],
  [{ security_severity: 'none' as const }, '-'],
])('%j shows as %s', (release, word) => {
  expect(securityWord(release)).toBe(word)
})
