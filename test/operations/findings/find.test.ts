import { describe, expect, test } from 'vitest'
import { openService, refusalFor, type TestService } from '../service.ts'

const item = (Resource: string, Message: string) => ({ Namespace: 'shop', Resource, Message })

function report(cluster: string, generatedAt: string, messages: string[], more: object = {}, metadata: object = {}) {
  const Items = messages.map((message) => item('deployment/web', message))
  const guidance = {
    Recommendation: { text: 'Set runAsUser.', html: '<b>Set</b>' },
    URL: 'https://kubernetes.io/docs/',
  }
  const found = { ID: 'SEC003', Name: 'Root', Category: 'Security', Severity: 'critical', Total: Items.length, Items }
  return {
    metadata: { clusterName: cluster, generatedAt, ...metadata },
    checks: { SEC003: { ...found, ...guidance, ...more }, OTHER: { ID: 'OTHER', Name: 'Other', Total: 0 } },
  }
}

async function toFingerprint(service: TestService, search: string, query: object = {}): Promise<string> {
  const { items } = await service.call('listFindings', { query: { search, ...query } })
  return items[0]!.fingerprint!
}

const show = (service: TestService, fingerprint: string, query = {}) =>
  service.call('getFinding', { params: { fingerprint }, query })

describe('a finding', () => {
  test('has its texts, how to fix it, and every cluster that has it', async () => {
    const service = await openService()
    const upload = (body: object, more: object = {}) => service.upload([], { report: body, ...more })
    const first = await upload(report('blue', '2026-08-20T06:00:00Z', ['runs as root']))
    const second = await upload(report('blue', '2026-08-30T06:00:00Z', ['runs as root', 'is privileged']))
    await upload(report('green', '2026-08-25T06:00:00Z', ['runs as root']), { body: { environment: 'staging' } })
    const last = await upload(report('red', '2026-08-21T06:00:00Z', ['runs as root']))
    await upload(report('red', '2026-08-28T06:00:00Z', ['is privileged']))
    const found = await show(service, await toFingerprint(service, 'as root'))
    expect(found.finding).toMatchObject({
      check_id: 'SEC003',
      message: 'runs as root',
      resource: 'deployment/web',
      recommendation: 'Set runAsUser.',
      url: 'https://kubernetes.io/docs/',
    })
    expect(found.run_id).toBe(second.run_id)
    expect(found.clusters_total).toBe(3)
    expect(found.clusters).toMatchObject([
      {
        cluster_name: 'blue',
        state: 'open',
        first_seen_at: '2026-08-20 06:00:00',
        first_run_id: first.run_id,
        last_run_id: second.run_id,
      },
      { cluster_name: 'green', environment: 'staging', state: 'open' },
      {
        cluster_name: 'red',
        state: 'resolved',
        last_seen_at: '2026-08-21 06:00:00',
        last_run_id: last.run_id,
        doubt: null,
      },
    ])
  })

  test('is found by a unique beginning of its id', async () => {
    const service = await openService()
    const messages = Array.from(
      { length: 400 },
      (_, i) => `fault ${String.fromCharCode(97 + (i % 26)).repeat(1 + Math.floor(i / 26))}`,
    )
    await service.upload([], { report: report('blue', '2026-08-20T06:00:00Z', messages) })
    const full = await toFingerprint(service, 'fault aaa')
    expect((await show(service, full.slice(0, 12))).finding.fingerprint).toBe(full)
    expect((await show(service, full.slice(0, 11).toUpperCase())).finding.fingerprint).toBe(full)
    expect(await refusalFor(show(service, `${full.slice(0, 11)}${full[11] === '0' ? '1' : '0'}`))).toMatch(/^not_found/)
    expect(await refusalFor(show(service, full.slice(0, 3)))).toMatch(/^not_found/)
  })

  test('is not guessed when several begin alike', async () => {
    const service = await openService()
    const messages = Array.from({ length: 1200 }, (_, i) => `fault ${toWord(i)}`)
    await service.upload([], { report: report('blue', '2026-08-20T06:00:00Z', messages) })
    const { all, twice } = await findTwins(service)
    expect(all).toBe(1200)
    expect(await refusalFor(show(service, twice))).toMatch(
      new RegExp(`^conflict: Several findings begin with ${twice}`),
    )
  })

  test('that is resolved is told from one that was not looked for', async () => {
    const service = await openService()
    await service.upload([], { report: report('blue', '2026-08-20T06:00:00Z', ['runs as root']) })
    const fingerprint = await toFingerprint(service, 'as root')
    const notRun = { Total: 0, Items: { Status: 'Skipped', Message: 'forbidden' } }
    await service.upload([], { report: report('blue', '2026-08-21T06:00:00Z', [], notRun) })
    expect((await show(service, fingerprint)).clusters).toMatchObject([
      { state: 'open', last_seen_at: '2026-08-20 06:00:00', doubt: 'The latest scan did not look at it' },
    ])
    const metadata = { excludeNamespacesEnabled: true, excludedNamespaces: ['shop'] }
    await service.upload([], { report: report('blue', '2026-08-22T06:00:00Z', [], {}, metadata) })
    expect((await show(service, fingerprint)).clusters).toMatchObject([
      { state: 'open', last_seen_at: '2026-08-20 06:00:00', doubt: 'The latest scan did not look at it' },
    ])
    await service.upload([], { report: report('blue', '2026-08-23T06:00:00Z', []) })
    expect((await show(service, fingerprint.slice(0, 12))).clusters).toMatchObject([{ state: 'resolved', doubt: null }])
  })

  test('that is suppressed has its reason', async () => {
    const service = await openService()
    const SuppressedFindings = [{ ...item('deployment/web', 'runs as root'), Reason: 'legacy', Until: '2027-01-01' }]
    await service.upload([], {
      report: report('blue', '2026-08-20T06:00:00Z', [], { SuppressedTotal: 1, SuppressedFindings }),
    })
    const fingerprint = await toFingerprint(service, 'as root', { state: 'suppressed' })
    for (const id of [fingerprint, fingerprint.slice(0, 10)]) {
      expect(await show(service, id)).toMatchObject({
        finding: { reason: 'legacy', suppressed_until: '2027-01-01', recommendation: 'Set runAsUser.' },
        clusters: [{ cluster_name: 'blue', state: 'suppressed' }],
      })
    }
  })
})

/** Letters only: numbers do not identify. */
const toWord = (number: number): string => number.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)

/** Four hex digits with which two findings begin. */
async function findTwins(service: TestService): Promise<{ all: number; twice: string }> {
  const seen = new Set<string>()
  let [all, twice] = [0, '']
  for (let page = 1; page <= 12; page++) {
    const { items } = await service.call('listFindings', { query: { page, per_page: 100 } })
    for (const { fingerprint } of items) {
      const beginning = fingerprint!.slice(0, 4)
      if (seen.has(beginning)) twice = beginning
      seen.add(beginning)
      all++
    }
  }
  return { all, twice }
}
