import { expect, test } from 'vitest'
import { answerAsDocumented, type Counts } from '../server/openapi-requests.ts'

test('19,000 requests made from the document are answered as it says', async () => {
  const counts: Counts[] = []
  for (const role of ['anonymous', 'user', 'admin', 'free'] as const) counts.push(await answerAsDocumented(role, 3_000))
  const total = (kind: keyof Counts) => counts.reduce((sum, each) => sum + each[kind], 0)
  expect(total('valid')).toBeGreaterThan(12_000)
  expect(total('invalid')).toBeGreaterThan(7_000)
})
