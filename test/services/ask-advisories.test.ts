import { describe, expect, test } from 'vitest'
import type { FoundRelease, Outcome } from '../../src/collectors/collector.ts'
import { Osv } from '../../src/collectors/osv/index.ts'
import { withAdvisories } from '../../src/services/ask-advisories.ts'
import { openHttp } from '../collectors/http.ts'
import { type Handler, openLocalServer, sendJson } from '../collectors/local-server.ts'

function changed(...security: FoundRelease['security'][]): Outcome {
  const release = { type: 'app', chartName: '', version: '1.0.0', appVersion: null, publishedAt: 1, url: '', notes: '' }
  return {
    kind: 'changed',
    releases: security.map((one) => ({ ...release, security: one }) as FoundRelease),
    state: {},
  }
}

async function ask(outcome: Outcome, handler: Handler) {
  const server = await openLocalServer(handler)
  const osv = new Osv({ http: openHttp({ retryPausesMs: [] }), baseUrl: server.url })
  const answer = await withAdvisories(outcome, osv)
  return { server, security: answer.kind === 'changed' ? answer.releases.map((one) => one.security) : answer }
}

const advisory: Handler = ({ path }, response) =>
  sendJson(response, { id: path.slice('/v1/vulns/'.length), summary: 'Bad', database_specific: { severity: 'HIGH' } })

describe('advisories of collected releases', () => {
  test('are asked for where nobody says how severe they are', async () => {
    const told = { hasFix: true, ids: ['CVE-2026-1111'], severity: 'low' } as const
    const untold = { hasFix: true, ids: ['CVE-2026-2222', 'CVE-2026-3333'] }
    const { server, security } = await ask(changed(null, { ...told, ids: [...told.ids] }, untold), advisory)
    expect(security).toEqual([null, told, { ...untold, severity: 'high', summary: 'Bad' }])
    expect(server.asked.map(({ path }) => path)).toEqual(['/v1/vulns/CVE-2026-2222', '/v1/vulns/CVE-2026-3333'])
  })

  test('are left as they are after a failure, and nobody is asked again', async () => {
    const untold = { hasFix: true, ids: ['CVE-2026-2222', 'CVE-2026-3333'], summary: 'Fix' }
    const { server, security } = await ask(changed(untold, untold), (_, response) => {
      response.writeHead(500)
      response.end()
    })
    expect(security).toMatchObject([untold, untold])
    expect(server.asked).toHaveLength(1)
  })

  test('of a source that did not answer are not asked for', async () => {
    const outcome: Outcome = { kind: 'unreachable', reason: 'no' }
    const { server, security } = await ask(outcome, advisory)
    expect(security).toEqual(outcome)
    expect(server.asked).toEqual([])
  })
})
