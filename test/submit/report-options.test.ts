import { expect, test } from 'vitest'
import { folderOf, type ReportOptions, submissionOf } from '../../src/submit/report-options.ts'

const { signal } = new AbortController()
const made = { report: Buffer.from('{}'), startedAt: 0, finishedAt: 60, inventory: undefined }
const profile = {
  name: 'prod',
  cluster_name: 'shop',
  provider: 'eks',
  settings: { eks: { region: 'eu-1' }, radar: { environment: 'staging' }, output: { outputPath: 'reports' } },
} as const
const bodyOf = (options: Partial<ReportOptions>, of?: typeof profile) =>
  submissionOf({ signal, ...options }, made, of).body

test('options come before what the profile says', () => {
  expect(bodyOf({}, profile)).toMatchObject({
    environment: 'staging',
    cluster: { name: 'shop', provider: 'eks', region: 'eu-1' },
  })
  expect(bodyOf({ cluster: 'blue', environment: 'dev' }, profile)).toMatchObject({
    environment: 'dev',
    cluster: { name: 'blue', provider: 'eks', region: 'eu-1' },
  })
  expect([folderOf({ profile }), folderOf({ profile, out: 'mine' }), folderOf({})]).toEqual([
    'reports',
    'mine',
    undefined,
  ])
})

test('a cluster without a name has that of its context', () => {
  const nameOf = (options: Partial<ReportOptions>, of?: object) =>
    submissionOf({ signal, ...options }, made, of as typeof profile).body.cluster?.name
  const unnamed = { ...profile, cluster_name: '', settings: { context: 'blue' } }
  expect([nameOf({ context: 'blue' }), nameOf({ context: 'green' }, unnamed), nameOf({}, unnamed)]).toEqual([
    ...['blue', 'green', 'blue'],
  ])
  const own = { ...profile, cluster_name: 'prod' }
  expect([nameOf({ context: 'blue' }, own), nameOf({}, own), nameOf({ context: 'blue', cluster: 'x' }, own)]).toEqual([
    ...['blue', 'prod', 'x'],
  ])
  expect([nameOf({ context: 'blue' }, profile), nameOf({ context: 'blue', cluster: 'shop-eu' })]).toEqual([
    ...['shop', 'shop-eu'],
  ])
})

test('a submission says only what is known', () => {
  expect(JSON.parse(JSON.stringify(submissionOf({ signal }, made).body))).toEqual({
    source: 'relt',
    cluster: {},
    run: { started_at: '1970-01-01 00:00:00', finished_at: '1970-01-01 00:01:00' },
  })
  const ci = { provider: 'github' }
  const inventory = { images: [{ fullRef: 'redis:7.2.0' }] }
  const options = { signal, ci, allowEmpty: true, idempotencyKey: 'k' }
  expect(submissionOf(options, { ...made, inventory })).toMatchObject({
    idempotencyKey: 'k',
    body: { ci, allow_empty: true, artifacts: inventory },
  })
})
