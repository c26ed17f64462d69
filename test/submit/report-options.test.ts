import { expect, test } from 'vitest'
import { folderFor, type ReportOptions, toSubmission } from '../../src/submit/report-options.ts'

const { signal } = new AbortController()
const made = { report: Buffer.from('{}'), startedAt: 0, finishedAt: 60, inventory: undefined }
const profile = {
  name: 'prod',
  cluster_name: 'shop',
  provider: 'eks',
  settings: { eks: { region: 'eu-1' }, radar: { environment: 'staging' }, output: { outputPath: 'reports' } },
} as const
const toBody = (options: Partial<ReportOptions>, of?: typeof profile) =>
  toSubmission({ signal, ...options }, made, of).body

test('options come before what the profile says', () => {
  expect(toBody({}, profile)).toMatchObject({
    environment: 'staging',
    cluster: { name: 'shop', provider: 'eks', region: 'eu-1' },
  })
  expect(toBody({ cluster: 'blue', environment: 'dev' }, profile)).toMatchObject({
    environment: 'dev',
    cluster: { name: 'blue', provider: 'eks', region: 'eu-1' },
  })
  expect([folderFor({ profile }), folderFor({ profile, out: 'mine' }), folderFor({})]).toEqual([
    'reports',
    'mine',
    undefined,
  ])
})

test('a cluster without a name has that of its context', () => {
  const toName = (options: Partial<ReportOptions>, of?: object) =>
    toSubmission({ signal, ...options }, made, of as typeof profile).body.cluster?.name
  const unnamed = { ...profile, cluster_name: '', settings: { context: 'blue' } }
  expect([toName({ context: 'blue' }), toName({ context: 'green' }, unnamed), toName({}, unnamed)]).toEqual([
    ...['blue', 'green', 'blue'],
  ])
  const own = { ...profile, cluster_name: 'prod' }
  expect([toName({ context: 'blue' }, own), toName({}, own), toName({ context: 'blue', cluster: 'x' }, own)]).toEqual([
    ...['blue', 'prod', 'x'],
  ])
  expect([toName({ context: 'blue' }, profile), toName({ context: 'blue', cluster: 'shop-eu' })]).toEqual([
    ...['shop', 'shop-eu'],
  ])
})

test('a submission says only what is known', () => {
  expect(JSON.parse(JSON.stringify(toSubmission({ signal }, made).body))).toEqual({
    source: 'relt',
    cluster: {},
    run: { started_at: '1970-01-01 00:00:00', finished_at: '1970-01-01 00:01:00' },
  })
  const ci = { provider: 'github' }
  const inventory = { images: [{ fullRef: 'redis:7.2.0' }] }
  const options = { signal, ci, idempotencyKey: 'k' }
  expect(toSubmission(options, { ...made, inventory })).toMatchObject({
    idempotencyKey: 'k',
    body: { ci, artifacts: inventory },
  })
})
