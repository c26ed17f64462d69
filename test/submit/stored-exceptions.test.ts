import { expect, test } from 'vitest'
import { renderMarkdown } from '../../src/ci/markdown.ts'
import type { Client } from '../../src/client/client.ts'
import { ReltError } from '../../src/errors.ts'
import { completePolicy } from '../../src/gate/complete-policy.ts'
import type { Policy } from '../../src/gate/policy.ts'
import { withStoredExceptions } from '../../src/submit/stored-exceptions.ts'
import { changesOf, comparisonWith, findingWith, runWith, now as testNow } from '../gate/evidence.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'
import { openService } from '../operations/service.ts'

const policy: Policy = completePolicy(
  {
    rules: [],
    exceptions: [{ check: 'IN_FILE', reason: 'file', expires: '2026-12-31', source: 'relt.yaml:3' }],
  },
  { failOn: ['new>=high'] },
)

async function openStored() {
  const service = await openService()
  const client = { call: service.call } as unknown as Client
  const add = (body: object) =>
    service.call('createException', {
      body: { all_clusters: !('cluster_name' in body), reason: 'stored', expires_on: '2026-12-31', ...body },
    })
  const gate = async (checks: string[]) => {
    const new_findings = checks.map((check_id) => findingWith({ check_id }))
    const run = runWith()
    const comparison = comparisonWith({ new_findings })
    const result = evaluateGate(
      await withStoredExceptions(client, policy),
      { run, changes: changesOf(['new>=high'], comparison) },
      testNow,
    )
    return { result, report: { run, comparison, result } }
  }
  return { ...service, add, gate }
}

test('the gate uses the exceptions of the file and of the server, and says which accepted a finding', async () => {
  const { add, gate } = await openStored()
  const { exception_id } = await add({ check: 'STORED' })
  const { result, report } = await gate(['IN_FILE', 'STORED', 'STORED'])
  expect(result.verdict).toBe('passed')
  expect(result.rules[0]).toMatchObject({ excepted: 3, excepted_by: { file: 1, server: 2 } })
  expect(result.exceptions.used.map(({ source, origin }) => [source, origin])).toEqual([
    ['relt.yaml:3', undefined],
    [`${exception_id} by local`, 'server'],
  ])
  expect(renderMarkdown(report, 100_000)).toContain('1 by the policy file, 2 by the server')
  expect(result).not.toHaveProperty('remarks')
})

test('an exception that was ended, or has expired, accepts nothing', async () => {
  const { add, gate, call, clock } = await openStored()
  const { exception_id } = await add({ check: 'ENDED' })
  await add({ check: 'OVER', expires_on: '2026-09-01' })
  expect((await gate(['ENDED', 'OVER'])).result.verdict).toBe('passed')
  await call('expireException', { params: { exception_id } })
  const { result } = await gate(['ENDED'])
  expect(result.verdict).toBe('failed')
  expect(result.exceptions.expired).toMatchObject([{ check: 'ENDED', matched: 1 }])
  clock.now += 86_400
  const later = evaluateGate(
    await withStoredExceptions({ call } as unknown as Client, policy),
    {
      run: runWith(),
      changes: changesOf(['new>=high'], comparisonWith({ new_findings: [findingWith({ check_id: 'OVER' })] })),
    },
    clock.now,
  )
  expect(later.verdict).toBe('failed')
})

test('an exception of another cluster or environment accepts nothing', async () => {
  const { add, gate } = await openStored()
  await add({ check: 'HERE', cluster_name: 'shop', environment: 'prod' })
  await add({ check: 'THERE', cluster_name: 'other' })
  await add({ check: 'TEST', environment: 'test' })
  expect((await gate(['HERE'])).result.verdict).toBe('passed')
  expect((await gate(['THERE'])).result.verdict).toBe('failed')
  expect((await gate(['TEST'])).result.verdict).toBe('failed')
})

test('exceptions whose last day is within 14 days are announced', async () => {
  const { add, gate } = await openStored()
  const { exception_id } = await add({ check: 'SOON', expires_on: '2026-09-15' })
  await add({ check: 'LATER', expires_on: '2026-09-16' })
  const { result, report } = await gate([])
  expect(result.remarks).toEqual([`1 exception will expire within 14 days: ${exception_id} by local on 2026-09-15`])
  expect(renderMarkdown(report, 100_000)).toContain('1 exception will expire within 14 days')
})

test('more exceptions than a page are all used', async () => {
  const { add, gate } = await openStored()
  for (let number = 0; number < 101; number++) await add({ check: `C${number}` })
  expect((await gate(['C0', 'C99', 'C100'])).result.rules[0]).toMatchObject({ excepted: 3 })
})

test('a server without exceptions leaves those of the file, and the gate says so', async () => {
  const call = async () => {
    throw new ReltError('not_found', 'No route was found.')
  }
  const whole = await withStoredExceptions({ call } as unknown as Client, policy)
  const result = evaluateGate(whole, { run: runWith(), comparison: comparisonWith() }, testNow)
  expect(result.remarks).toEqual(['The server stores no exceptions, so only those of the policy file apply'])
  const offline = await withStoredExceptions(undefined, policy)
  expect(offline.exceptionsGap).toContain('could not be asked')
})

test('any other failure of the server is one of the gate', async () => {
  const call = async () => {
    throw new ReltError('unreachable', 'No answer.')
  }
  await expect(withStoredExceptions({ call } as unknown as Client, policy)).rejects.toThrow('No answer.')
})
