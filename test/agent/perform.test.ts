import { expect, test } from 'vitest'
import { endOf, endOfScan } from '../../src/agent/perform.ts'
import { ReltError } from '../../src/errors.ts'
import { completePolicy } from '../../src/gate/complete-policy.ts'
import { smallReports } from '../helpers/small-store.ts'
import { openContext } from '../submit/context.ts'

const report = Buffer.from(JSON.stringify(smallReports[0]))
const uploaded = { success: true, run_id: 'crun_a', ingested_at: null, processing_status: 'ready' } as const
const failing = (error: ReltError) => openContext({ call: () => Promise.reject(error) }).context
const down = () => new ReltError('unreachable', 'radar.example does not answer.')

test('a scan whose report is stored is done, even if the server does not answer any more', async () => {
  const submitted = { outcome: { uploaded }, report, policy: undefined }
  expect(await endOfScan(failing(down()), submitted)).toEqual({
    ...{ state: 'done', run_id: 'crun_a', score: null, verdict: null },
    detail: 'The report is stored as crun_a, but its review failed. radar.example does not answer.',
  })
  // A file that was dropped is there for another attempt.
  const error = down()
  await expect(endOf(failing(error), submitted)).rejects.toBe(error)
})

test('its gate is then undecided', async () => {
  const policy = completePolicy(undefined, { failOn: ['score<50'] })
  const end = await endOfScan(failing(down()), { outcome: { uploaded }, report, policy })
  expect(end).toMatchObject({ state: 'done', verdict: 'undecided' })
})

test('any other error fails', async () => {
  const wrong = new ReltError('bad_answer', 'radar.example answered something else.')
  await expect(endOfScan(failing(wrong), { outcome: { uploaded }, report, policy: undefined })).rejects.toBe(wrong)
})
