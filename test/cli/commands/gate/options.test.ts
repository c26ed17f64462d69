import { describe, expect, test } from 'vitest'
import { createCommand as createCi } from '../../../../src/cli/commands/ci/index.ts'
import { createCommand as createAudit } from '../../../../src/cli/commands/gate/audit.ts'
import { createCommand as createCheck } from '../../../../src/cli/commands/gate/check.ts'
import { createCommand as createUpload } from '../../../../src/cli/commands/reports/upload.ts'
import { parse } from '../../../helpers/output.ts'

test('rules are collected in their order', async () => {
  expect(await parse(createCheck, ['--fail-on', 'new>=high', '--fail-on=score<80'])).toEqual([
    undefined,
    { failOn: ['new>=high', 'score<80'], record: true },
  ])
})

test('check and audit take a run, a cluster and a policy', async () => {
  const argv = ['crun_a', '-c', 'shop', '-e', 'prod', '--policy', 'p.yaml', '--first-run', 'pass', '--allow-unknown']
  const options = { cluster: 'shop', environment: 'prod', policy: 'p.yaml', firstRun: 'pass', allowUnknown: true }
  expect(await parse(createCheck, argv)).toEqual(['crun_a', { ...options, record: true }])
  expect(await parse(createAudit, argv)).toEqual(['crun_a', options])
})

test('ci takes what an upload takes, and the files to write', async () => {
  const outputs = ['--summary', 's', '--junit', 'j', '--sarif', 'f', '--code-quality', 'q']
  expect(await parse(createCi, ['r.json', '--cluster', 'shop', '--fail-on', 'score<80', ...outputs])).toEqual([
    'r.json',
    { cluster: 'shop', failOn: ['score<80'], summary: 's', junit: 'j', sarif: 'f', codeQuality: 'q' },
  ])
})

test('an upload takes the gate and its rules', async () => {
  expect(await parse(createUpload, ['r.json', '--gate', '--fail-on', 'new>=high'])).toEqual([
    'r.json',
    { gate: true, failOn: ['new>=high'] },
  ])
})

describe('a refusal', () => {
  test.each([
    ['another verdict of a first run', createCheck, ['--first-run', 'fail']],
    ['a report that is missing', createCi, ['--fail-on', 'score<80']],
    ['two runs', createAudit, ['crun_a', 'crun_b']],
  ])('%s', async (_, create, argv) => {
    await expect(parse(create, argv)).rejects.toThrow()
  })
})
