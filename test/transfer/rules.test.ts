import { describe, expect, test } from 'vitest'
import { ReltError } from '../../src/errors.ts'
import type { End } from '../../src/transfer/end.ts'
import { Journal } from '../../src/transfer/journal.ts'
import { patientClient } from '../../src/transfer/patient-client.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { addAccount, counted, openEnd, reportAt, sync } from './world.ts'

async function openEnds() {
  const [here, there] = [counted(await openEnd('here')), counted(await openEnd('there'))]
  return { ends: { here: here.end, there: there.end }, here, there, folder: temporaryFolder() }
}

const upload = ({ client }: End, report: Uint8Array, body = {}) => client.call('uploadReport', { body, report })
const noon = '2026-08-20T12:00:00Z'

describe('runs', () => {
  test('without a journal, equal reports are the same run and nothing is written', async () => {
    const { ends, here, there, folder } = await openEnds()
    await upload(ends.here, reportAt(noon, 'one'), { environment: 'test' })
    await upload(ends.here, reportAt(noon, 'one'))
    // Another server may write the members in another order.
    const turned = JSON.parse(reportAt(noon, 'one').toString())
    await upload(ends.there, Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(turned).reverse()))))
    await upload(ends.there, reportAt(noon, 'one'), { environment: 'test' })
    const before = [here.writes.length, there.writes.length]
    const { result } = await sync(ends, folder, ['pull', 'push'])
    expect(result).toMatchObject({ copied: [], conflicts: [], left_out: [], matched: { run: 2 } })
    expect([here.writes.length, there.writes.length]).toEqual(before)
  })

  test('two reports of one scanner, cluster and second are a conflict, and those of two scanners are not', async () => {
    const { ends, there, folder } = await openEnds()
    const mine = await upload(ends.here, reportAt(noon, 'one'))
    const theirs = await upload(ends.there, reportAt(noon, 'other'))
    const before = there.writes.length
    const { result } = await sync(ends, folder, ['pull', 'push'])
    expect(there.writes.length).toBe(before)
    expect(result.copied).toEqual([])
    expect(result.conflicts).toMatchObject([
      { kind: 'run', name: 'shop-prod/prod 2026-08-20 12:00:00', here_id: mine.run_id, there_id: theirs.run_id },
    ])
  })

  test('a run that was deleted since the last sync comes back on request only', async () => {
    const { ends, folder } = await openEnds()
    await upload(ends.here, reportAt(noon, 'one'))
    const first = await sync(ends, folder, ['push'])
    const run_id = first.result.copied[0]!.new_id!
    await ends.there.client.call('deleteReport', { params: { run_id } })
    const second = await sync(ends, folder, ['pull', 'push'])
    expect(second.result).toMatchObject({ copied: [], left_out: [], deleted: [{ direction: 'push', kind: 'run' }] })
    const third = await sync(ends, folder, ['push'], { restore: true })
    expect(third.result).toMatchObject({ copied: [{ kind: 'run' }], deleted: [] })
    const fourth = await sync(ends, folder, ['push'])
    expect(fourth.result).toMatchObject({ copied: [], deleted: [], matched: { run: 1 } })
  })

  test('a chosen cluster is copied alone, with its profiles', async () => {
    const { ends, folder } = await openEnds()
    await addAccount(ends.here.client)
    for (const cluster of ['a', 'b']) {
      await upload(ends.here, reportAt(noon, 'one'), { cluster: { name: cluster } })
      await upload(ends.here, reportAt(noon, 'one'), { cluster: { name: cluster }, environment: 'test' })
    }
    const clusters = [{ cluster: 'a', environment: 'test' }]
    const { result } = await sync(ends, folder, ['push'], { clusters })
    expect(result.copied).toMatchObject([{ kind: 'run', name: 'a/test 2026-08-20 12:00:00' }])
    const both = await sync(ends, folder, ['push'], { clusters: [{ cluster: 'shop-prod', environment: undefined }] })
    expect(both.result.copied).toMatchObject([{ kind: 'profile', name: 'shop' }])
  })

  test('a copy that the server changed is reported', async () => {
    const { ends, folder } = await openEnds()
    await upload(ends.here, reportAt(noon, 'one'))
    const { client } = ends.there
    const call: typeof client.call = (name, input) =>
      client.call(name, name === 'uploadReport' ? { ...input, body: { environment: 'other' } } : input)
    const there = { ...ends.there, client: { ...client, call } }
    const { result } = await sync({ ...ends, there }, folder, ['push'])
    expect(result.left_out).toMatchObject([{ kind: 'run', reason: expect.stringMatching(/not listed|differs/) }])
  })

  test('an upload whose answer was lost is stored once, and the sync continues', async () => {
    const { ends, folder } = await openEnds()
    for (const minute of [1, 2, 3]) await upload(ends.here, reportAt(`2026-08-20T12:0${minute}:00Z`, 'one'))
    const { client } = ends.there
    let uploads = 0
    const call: typeof client.call = async (name, input) => {
      const answer = await client.call(name, input)
      if (name === 'uploadReport' && ++uploads === 2) throw new ReltError('unreachable', 'It ended the connection.')
      return answer
    }
    const cut = await sync({ ...ends, there: { ...ends.there, client: { ...client, call } } }, folder, ['push'])
    expect(cut.failure).toMatchObject({ code: 'unreachable' })
    expect(cut.result.copied.length).toBe(1)
    const { result, failure } = await sync(ends, folder, ['push'])
    expect({ failure, left: result.left_out }).toEqual({ failure: undefined, left: [] })
    const { items } = await client.call('listReports', { query: { cluster_name: 'shop-prod' } })
    expect(items.map(({ finished_at }) => finished_at)).toEqual([3, 2, 1].map((each) => `2026-08-20 12:0${each}:00`))
  })
})

describe('profiles, labels and subscriptions', () => {
  test('what differs is a conflict, and nothing of it is written', async () => {
    const { ends, here, there, folder } = await openEnds()
    await addAccount(ends.here.client)
    await sync(ends, folder, ['push'])
    const { client } = ends.there
    const [profile] = (await client.call('listConfigs', { query: {} })).items
    await client.call('updateConfig', {
      params: { config_id: profile!.config_id! },
      body: { settings: { excluded_checks: ['NET001'] } },
    })
    const { labels } = await client.call('listLabels', {})
    const [core, unused] = ['core', 'unused'].map((name) => labels.find(({ label_name }) => label_name === name)!)
    const body = { label_name: 'core', label_color: '#ffffff' }
    await client.call('updateLabel', { params: { id: String(core!.id) }, body })
    const { subscriptions } = await client.call('listSubscriptions', {})
    const [argo, nginx] = ['Argo CD', 'NGINX'].map((name) => subscriptions.find((each) => each.name === name)!)
    await client.call('updateSettings', { body: { subscription_id: argo!.id!, email_frequency: 'daily' } })
    const params = { subscription_id: String(nginx!.id) }
    await client.call('attachLabels', { params, body: { label_ids: [unused!.id] } })
    const before = [here.writes.length, there.writes.length]
    const { result } = await sync(ends, folder, ['push'])
    expect([here.writes.length, there.writes.length]).toEqual(before)
    expect(result.conflicts).toMatchObject([
      { kind: 'label', name: 'core', fields: [{ name: 'color', here: '#1f6feb', there: '#ffffff' }] },
      { kind: 'subscription', name: 'Argo CD', fields: [{ name: 'email_frequency', here: 'weekly', there: 'daily' }] },
      { kind: 'profile', name: 'shop' },
    ])
    // Labels only ever come on top.
    const pulled = await sync(ends, folder, ['pull'])
    expect(pulled.result.copied).toMatchObject([{ kind: 'subscription', name: 'NGINX', change: 'change' }])
  })

  test('a subscription that was half made is finished', async () => {
    const { ends, folder } = await openEnds()
    await addAccount(ends.here.client)
    const { client } = ends.there
    const call: typeof client.call = async (name, input) => {
      if (name === 'updateSettings') throw new ReltError('unreachable', 'It ended the connection.')
      return client.call(name, input)
    }
    const cut = await sync({ ...ends, there: { ...ends.there, client: { ...client, call } } }, folder, ['push'])
    expect(cut.failure).toMatchObject({ code: 'unreachable' })
    const { result } = await sync(ends, folder, ['push'])
    expect(result).toMatchObject({ conflicts: [], left_out: [] })
    const { subscriptions } = await client.call('listSubscriptions', {})
    expect(subscriptions.map(({ email_frequency }) => email_frequency)).toEqual(['weekly', 'weekly'])
  })

  test('a project that the other catalog lacks, or has under another repository, is not guessed', async () => {
    const { ends, there, folder } = await openEnds()
    await addAccount(ends.here.client)
    const { client } = ends.there
    const call = (async (name: never, input: never) => {
      const answer = (await client.call(name, input)) as { items: { name: string; repo_url: string }[] }
      if (name !== 'listProjects') return answer
      const items = answer.items.filter((project) => project.name !== 'NGINX')
      return { ...answer, items: items.map((project) => ({ ...project, repo_url: 'https://github.com/fork/argo' })) }
    }) as typeof client.call
    const { result } = await sync({ ...ends, there: { ...ends.there, client: { ...client, call } } }, folder, ['push'])
    expect(result.left_out).toMatchObject([{ name: 'NGINX', reason: 'the catalog of there does not have the project' }])
    expect(result.conflicts).toMatchObject([{ name: 'Argo CD', fields: [{ name: 'repo_url' }] }])
    expect(there.writes).not.toContain('toggleSubscription')
  })

  test('settings of profiles and webhooks do not travel without TLS', async () => {
    const { ends, folder } = await openEnds()
    await addAccount(ends.here.client)
    const names: string[] = []
    const { client } = ends.there
    const call: typeof client.call = (name, input) => {
      names.push(name, JSON.stringify(input))
      return client.call(name, input)
    }
    const there = { ...ends.there, isPrivate: false, client: { ...client, call } }
    const { result } = await sync({ ...ends, there }, folder, ['push'])
    expect(result.left_out.map(({ kind, reason }) => `${kind}: ${reason}`)).toEqual([
      'subscription: slack_webhook is not sent over a connection without TLS',
      'subscription: slack_webhook is not sent over a connection without TLS',
      'profile: there is reached without TLS, and settings of profiles are secret',
    ])
    expect(names.join()).not.toMatch(/Config|hooks\.slack/)
  })
})

test('a rate limit is waited for as long as the server says, and then the request is repeated', async () => {
  const { client } = await openEnd('x')
  let refused = 0
  const call = (async (name: never, input: never) => {
    if (++refused <= 2) throw new ReltError('rate_limited', 'Slow down.', { retryAfter: 30 })
    return client.call(name, input)
  }) as typeof client.call
  const waits: number[] = []
  const { signal } = new AbortController()
  const patient = patientClient(
    { ...client, call },
    { signal, onWait: (s) => void waits.push(s), wait: async () => {} },
  )
  expect(await patient.call('getStats', {})).toMatchObject({ success: true })
  expect(waits).toEqual([30, 30])
})

test('a journal survives half a line, and is the same from both ends', async () => {
  const folder = temporaryFolder()
  const end = (id: string) => ({ id }) as End
  const [here, there] = [end('b'), end('a')]
  new Journal(folder, { here, there }).add('crun_1', 'crun_2')
  const { readdirSync, appendFileSync, statSync } = await import('node:fs')
  const file = `${folder}/sync/${readdirSync(`${folder}/sync`)[0]}`
  expect(statSync(file).mode & 0o777).toBe(0o600)
  appendFileSync(file, '{"run":["crun_9"')
  new Journal(folder, { here, there }).add('crun_3', 'crun_4')
  const turned = new Journal(folder, { here: there, there: here })
  turned.begin('here', 7)
  expect([...turned.pairs]).toEqual([
    { here: 'crun_2', there: 'crun_1' },
    { here: 'crun_4', there: 'crun_3' },
  ])
  const again = new Journal(folder, { here, there })
  expect([again.hasBegun('there', 7), again.hasBegun('here', 7)]).toEqual([true, false])
})
