import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { registerConfig } from '../../src/agent/occurrences.ts'
import type { Connection } from '../../src/agent/perform.ts'
import { parseAgentConfig } from '../../src/agent/read-config.ts'
import { findNewerRelt, sendServerHeartbeats } from '../../src/agent/server-heartbeat.ts'
import type { Client } from '../../src/client/client.ts'
import { ReltError } from '../../src/errors.ts'
import { setPaused } from '../../src/store/fleet/agent-job.ts'
import { addOccurrence } from '../../src/store/fleet/agent-occurrence.ts'
import { openMemoryStore } from '../helpers/memory-store.ts'
import { now, openService } from '../operations/service.ts'

const yaml = `jobs:
  - {name: nightly, every: 1h, profile: prod, server: a}
  - {name: drop, watch: {folder: /drop}, server: a}
  - {name: weekly, every: 7d, collect: kubescape, cluster: blue, environment: dev, server: a}
  - {name: here, every: 1h, profile: prod, server: local}
  - {name: elsewhere, every: 1h, collect: kubescape, cluster: blue, server: b}
`
const { jobs } = parseAgentConfig(yaml, 'agent.yaml', { machine: 'm' })

/** An agent's store, and connections to servers by name. */
async function prepare(clients: Record<string, Pick<Client, 'call'>>) {
  const db = await openMemoryStore()
  onTestFinished(() => db.destroy())
  await registerConfig(db, jobs, now)
  const connect = async (name = ''): Promise<Connection> => {
    const client = (clients[name] ?? clients.local) as Client
    return {
      client,
      server: name === 'local' ? undefined : { url: `https://${name}.example` },
      spool: undefined,
    } as Connection
  }
  const env = { RELT_HOME: mkdtempSync(join(tmpdir(), 'relt-heartbeat-')), RELT_KEYCHAIN: 'off' }
  const send = () => sendServerHeartbeats({ db, connect, env, now: () => now, countWaiting: () => 3 }, jobs)
  return { db, send }
}

const without: Pick<Client, 'call'> = {
  call: async () => {
    throw new ReltError('not_found', 'No route was found.')
  },
}

test('each server hears of its own jobs, with clusters, times and outcomes', async () => {
  const service = await openService()
  await service.call('createConfig', { body: { name: 'prod', cluster_name: 'prod-eu', provider: 'kubernetes' } })
  const { db, send } = await prepare({ a: service as never, b: without, local: without })
  await addOccurrence(db, {
    ...{ job: 'nightly', cause: 'schedule', due_at: now - 100, state: 'failed', late_seconds: 0, detail: 'x' },
    finished_at: now - 60,
  })
  await setPaused(db, 'weekly', true)
  expect(await send()).toEqual([])
  expect(await send()).toEqual([])
  const { items } = await service.call('listAgents')
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({ uploads_waiting: 3, last_seen_at: '2026-09-01 12:00:00' })
  const none = { cluster_name: null, environment: null, expected_every: null, next_at: null }
  expect(items[0]!.jobs).toEqual([
    {
      ...{ name: 'nightly', cluster_name: 'prod-eu', environment: 'prod', expected_every: 3600 },
      ...{
        next_at: expect.stringMatching(/^2026-09-01 1[23]:/),
        last_outcome: 'failed',
        last_at: '2026-09-01 11:59:00',
      },
    },
    { name: 'drop', ...none, last_outcome: null, last_at: null },
    // It is paused: nothing is expected of it.
    { name: 'weekly', ...none, cluster_name: 'blue', environment: 'dev', last_outcome: null, last_at: null },
  ])
})

test('a server that fails is reported, and one without the route is skipped', async () => {
  const failing: Pick<Client, 'call'> = {
    call: async () => {
      throw new ReltError('unreachable', 'The server is down.')
    },
  }
  const { send } = await prepare({ a: failing, b: without, local: without })
  expect((await send()).map(({ url, error }) => `${url}: ${error.message}`)).toEqual([
    'https://a.example: The server is down.',
  ])
})

test.each([
  ['9.1.0', '9.1.0'],
  ['0.0.1', undefined],
  ['no version', undefined],
  [undefined, undefined],
])('of a server with relt %s, %s is remembered as newer', async (server_version, expected) => {
  const answering = { call: async () => ({ success: true, server_version }) } as unknown as Pick<Client, 'call'>
  const { db, send } = await prepare({ a: answering, b: answering, local: without })
  await send()
  expect(await findNewerRelt(db)).toBe(expected)
})
