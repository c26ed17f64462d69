import { describe, expect, test } from 'vitest'
import { createAdvisoryLookUp } from '../../src/collectors/advisory-look-up.ts'
import { openGithub } from './github-server.ts'
import { openHttp } from './http.ts'
import { openLocalServer, sendJson } from './local-server.ts'

const [cve, ghsa] = ['CVE-2026-1111', 'GHSA-23cf-45gh-67jm'] as const

/** OSV has what is given, and GitHub what its `reviewed` is set to. */
async function open(inOsv: Record<string, object> = {}) {
  const github = await openGithub()
  const state = { status: 404 }
  const osv = await openLocalServer(({ path }, response) => {
    const found = inOsv[path.slice('/v1/vulns/'.length)]
    if (found) return sendJson(response, found)
    response.writeHead(state.status, { 'content-type': 'application/json' }).end('{}')
  })
  const lookUp = (options: { token?: string; osvUrl?: string | undefined } = {}) =>
    createAdvisoryLookUp(openHttp({ retryPausesMs: [] }), {
      osvUrl: osv.url,
      ...options,
      github: { webUrl: github.url, apiUrl: github.url, token: options.token },
    })
  return { github, osv, state, lookUp }
}

describe('an advisory', () => {
  test('that OSV has is not asked for at GitHub', async () => {
    const { github, lookUp } = await open({ [cve]: { id: cve, database_specific: { severity: 'HIGH' } } })
    expect(await lookUp({ token: github.token })(cve)).toMatchObject({ kind: 'found', advisory: { severity: 'high' } })
    expect(github.asked).toEqual([])
  })

  test.each([
    [cve, ghsa],
    [ghsa, cve],
  ])('that only GitHub has is found there by %s', async (id, alias) => {
    const { github, lookUp } = await open()
    github.reviewed = [{ ghsa, cve, severity: 'moderate', summary: 'Bad' }]
    expect(await lookUp({ token: github.token })(id)).toEqual({
      kind: 'found',
      advisory: { id, aliases: [alias], severity: 'medium', summary: 'Bad' },
    })
  })

  test('that GitHub has withdrawn is none', async () => {
    const { github, lookUp } = await open()
    github.reviewed = [{ ghsa, cve, severity: 'high', withdrawn: true }]
    expect(await lookUp({ token: github.token })(cve)).toEqual({ kind: 'absent' })
  })

  test('that nobody has is none only when everybody has answered', async () => {
    const { github, lookUp, state } = await open()
    expect(await lookUp({ token: github.token })(cve)).toEqual({ kind: 'absent' })
    state.status = 500
    expect(await lookUp({ token: github.token })(cve)).toEqual({ kind: 'unknown' })
  })

  test('is asked for at GitHub with a token only', async () => {
    const { github, osv, lookUp } = await open()
    await lookUp()(cve)
    expect([osv.asked.length, github.asked.length]).toEqual([1, 0])
    expect(await lookUp({ osvUrl: undefined })(cve)).toEqual({ kind: 'unknown' })
    expect([osv.asked.length, github.asked.length]).toEqual([1, 0])
  })
})

describe('a database that does not answer', () => {
  test('is left alone after the third time', async () => {
    const { github, osv, state, lookUp } = await open()
    state.status = 500
    github.reviewed = [{ ghsa, cve, severity: 'low' }]
    const ask = lookUp({ token: github.token })
    for (let i = 0; i < 5; i++) expect(await ask(cve)).toMatchObject({ kind: 'found' })
    expect([osv.asked.length, github.asked.length]).toEqual([3, 5])
  })

  test('once is asked on', async () => {
    const { osv, state, lookUp } = await open()
    const ask = lookUp()
    for (const status of [500, 500, 404, 500, 500, 404]) {
      state.status = status
      expect(await ask(cve)).toEqual({ kind: status === 404 ? 'absent' : 'unknown' })
    }
    expect(osv.asked).toHaveLength(6)
  })

  test('because of a limit is not asked again', async () => {
    const { github, lookUp } = await open()
    github.left.rest = 0
    const ask = lookUp({ token: github.token, osvUrl: undefined })
    expect(await ask(cve)).toEqual({ kind: 'unknown' })
    expect(await ask(ghsa)).toEqual({ kind: 'unknown' })
    expect(github.asked).toHaveLength(1)
  })
})
