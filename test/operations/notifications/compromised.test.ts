import { expect, test } from 'vitest'
import { activateDelivery } from '../../../src/operations/notifications/activate-delivery.ts'
import { createSender } from '../../../src/operations/notifications/deliver.ts'
import { recordCompromised } from '../../../src/operations/notifications/find-compromised.ts'
import { routeEvents } from '../../../src/operations/notifications/route-events.ts'
import { saveStateFacts } from '../../../src/store/facts/state-fact.ts'
import { openReceivers } from '../../helpers/carrier.ts'
import { scan } from '../../reports/scan.ts'
import { openRoutes } from '../../service/harness.ts'

const image = (fullRef: string) => ({ fullRef, namespace: 'shop', workloadKind: 'CronJob', workloadName: 'audit' })
const fault = {
  image_repository: 'registry.example/tools/audit',
  versions: ['1.2.3'],
  kind: 'malicious',
  reason: 'It sends secrets away.',
  safe: '1.2.4',
  source: 'https://example.com/notice',
}

/** Ada hears of events of her clusters at night, too. */
async function openListening(cluster_events: string) {
  const { as, ada, db, vault, clock } = await openRoutes()
  const { received, carrier } = openReceivers()
  const store = { db, vault: async () => vault }
  await activateDelivery(store, carrier.channels, clock.now)
  const settings = { slack_webhook: 'https://hooks.slack.example/services/T0/B0/secret', cluster_events }
  await as(ada, 'updateAccountSettings', { body: { ...settings, quiet_hours: '00:00-23:59' } })
  return {
    db,
    clock,
    upload: (images: string[]) => {
      const report = { ...scan([]), artifacts: { images: images.map(image) } }
      return as(ada, 'uploadReport', { body: {}, report: Buffer.from(JSON.stringify(report)) })
    },
    learn: () =>
      db.transaction().execute((trx) =>
        saveStateFacts(trx, {
          ...{ source: 'file', kind: 'fault', facts: [fault], asOf: null, answeredAt: clock.now, state: {} },
        }),
      ),
    /** As a server does it. */
    notify: async () => {
      received.length = 0
      await recordCompromised(store, clock.now)
      await routeEvents(store, clock.now)
      await createSender(store, { carrier, now: () => clock.now }).drain()
      return received
        .filter(({ channel }) => channel === 'slack')
        .flatMap(({ message }) => message.events.filter(({ type }) => type === 'artifact.compromised'))
    },
  }
}

test('what turns out to be compromised is notified once, with what to do, in quiet hours too', async () => {
  const { db, clock, upload, learn, notify } = await openListening('artifact.compromised')
  const { run_id } = await upload(['registry.example/tools/audit:1.2.3', 'nginx:1.27.3'])
  expect(await notify()).toEqual([])
  await learn()
  expect(await notify()).toEqual([
    {
      type: 'artifact.compromised',
      id: expect.stringMatching(/^evt_\d+$/),
      at: clock.now,
      cluster: expect.any(String),
      environment: expect.any(String),
      runId: run_id,
      artifact: 'registry.example/tools/audit:1.2.3',
      advice: expect.stringMatching(
        /^Stop it now, and change every secret that it could read: It sends secrets away\./,
      ),
      source: fault.source,
      places: ['shop/cronjob/audit'],
    },
  ])
  const log = await db.selectFrom('event_log').select('data').where('type', '=', 'artifact.compromised').execute()
  expect(log.map(({ data }) => data).join()).not.toContain('audit')

  clock.now += 3600
  await upload(['registry.example/tools/audit:1.2.3'])
  expect(await notify()).toEqual([])
  clock.now += 3600
  await upload(['registry.example/tools/audit:1.2.4'])
  expect(await notify()).toEqual([])
})

test('an account that did not ask for it hears nothing of it', async () => {
  const { upload, learn, notify } = await openListening('gate.failed')
  await learn()
  await upload(['registry.example/tools/audit:1.2.3'])
  expect(await notify()).toEqual([])
})
