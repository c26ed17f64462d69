import { expect, test } from 'vitest'
import { readOrRefuse, toReport } from '../reports/formats/fixture.ts'

test('a report may have a million findings, and no more', async () => {
  expect((await readOrRefuse(toReport(65_536, 1_000_000)))!.findings.total).toBe(1_000_000)
  expect(await readOrRefuse(toReport(65_536, 1_000_001))).toBeUndefined()
})
