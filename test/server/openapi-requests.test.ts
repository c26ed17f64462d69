import { expect, test } from 'vitest'
import { answerAsDocumented } from './openapi-requests.ts'

test.each(['anonymous', 'user', 'admin', 'free'] as const)(
  'requests of role %s, made from the document, are answered as it says',
  async (role) => {
    const { valid, invalid } = await answerAsDocumented(role, 200)
    expect(valid).toBeGreaterThanOrEqual(200)
    expect(invalid).toBeGreaterThan(100)
  },
  60_000,
)
