import { describe, expect, test } from 'vitest'
import ciVerb from '../../../../src/cli/commands/ci/index.ts'
import checkVerb from '../../../../src/cli/commands/gate/check.ts'
import uploadVerb from '../../../../src/cli/commands/reports/upload.ts'
import { parse } from '../../../helpers/output.ts'

test('rules are collected in their order', async () => {
  expect(await parse(checkVerb, ['--fail-on', 'new>=high', '--fail-on=score<80'])).toEqual([
    undefined,
    { failOn: ['new>=high', 'score<80'], record: true },
  ])
})

test('check takes a run, a cluster and a policy', async () => {
  const argv = ['crun_a', '-c', 'shop', '-e', 'prod', '--policy', 'p.yaml', '--baseline', 'previous']
  const options = { cluster: 'shop', environment: 'prod', policy: 'p.yaml', baseline: 'previous' }
  expect(await parse(checkVerb, argv)).toEqual(['crun_a', { ...options, record: true }])
})

test('ci takes what an upload takes, and the files to write', async () => {
  const outputs = ['--summary', 's', '--junit', 'j', '--sarif', 'f', '--code-quality', 'q']
  expect(await parse(ciVerb, ['r.json', '--cluster', 'shop', '--fail-on', 'score<80', ...outputs])).toEqual([
    'r.json',
    { cluster: 'shop', failOn: ['score<80'], summary: 's', junit: 'j', sarif: 'f', codeQuality: 'q' },
  ])
})

test('an upload takes the gate and its rules', async () => {
  expect(await parse(uploadVerb, ['r.json', '--gate', '--fail-on', 'new>=high'])).toEqual([
    ['r.json'],
    { gate: true, failOn: ['new>=high'] },
  ])
})

describe('a refusal', () => {
  test.each([
    ['another verdict of an advisory without a severity', checkVerb, ['--unknown-severity', 'pass']],
    ['a report that is missing', ciVerb, ['--fail-on', 'score<80']],
    ['two runs', checkVerb, ['crun_a', 'crun_b']],
  ])('%s', async (_, create, argv) => {
    await expect(parse(create, argv)).rejects.toThrow()
  })
})
