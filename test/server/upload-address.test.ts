import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { smallReports } from '../helpers/small-store.ts'
import { hostileProfile } from '../profiles/arbitrary.ts'
import { openHttp } from './http.ts'

const radar = { upload: true, compare: true, environment: 'prod' }

async function openProfiles(settings: object, options: Parameters<typeof openHttp>[0] = {}) {
  const { app, call, signUp } = await openHttp(options)
  const { headers } = await signUp('ada')
  const created = await call('/cluster-configs', { headers, body: { name: 'shop', settings } })
  expect(created.status).toBe(200)
  const path = `/api/relt/v1/cluster-configs/${created.body.config_id}`
  const get = async (part: string, origin: string, more: Record<string, string> = {}) => {
    const incoming = { socket: { remoteAddress: '127.0.0.1' }, headers: more }
    const response = await app.request(`${origin}${path}${part}`, { headers: { ...headers, ...more } }, {
      incoming,
    } as never)
    const text = await response.text()
    return text.startsWith('{') ? JSON.parse(text) : text
  }
  return { get, call, headers, config_id: created.body.config_id }
}

describe('a profile that a server serves', () => {
  test('uploads to that server, by the address that was asked', async () => {
    const { get } = await openProfiles({ radar })
    for (const origin of ['http://relt.example', 'http://127.0.0.1:8080']) {
      const address = `${origin}/api/relt/v1`
      const command = await get('/command', origin)
      expect(command.warnings).toContain(`The scanner uploads to ${address}`)
      expect(command.powershell_command).toContain(`-RadarUpload -RadarCompare -RadarApiBaseUrl '${address}'`)
      expect(command.native_command).toContain(`--radar-api-base-url='${address}'`)
      expect(command.docker_command).toContain(`-e RADAR_API_BASE_URL='${address}'`)
      expect(command.docker_env).toContain(`-e RADAR_API_BASE_URL='${address}'`)
      const file = await get('/config-file', origin)
      expect(file.radar).toMatchObject({ enabled: true, api_base_url: address })
      expect(parse(file.content).radar).toEqual(file.radar)
      expect(await get('/config-file', origin, { accept: 'application/yaml' })).toBe(file.content)
    }
  })

  test('uploads to the address of the proxy that is trusted, and of no other', async () => {
    const forwarded = { 'x-forwarded-host': 'relt.example', 'x-forwarded-proto': 'https' }
    for (const [trusted, address] of [
      [{ hops: 1 }, 'https://relt.example/api/relt/v1'],
      [undefined, 'http://10.0.0.7:8080/api/relt/v1'],
    ] as const) {
      const { get } = await openProfiles({ radar }, { trusted })
      expect((await get('/config-file', 'http://10.0.0.7:8080', forwarded)).radar.api_base_url).toBe(address)
    }
  })

  test('is left out of uploads when the request names no usable host', async () => {
    const { get } = await openProfiles({ radar }, { trusted: { hops: 1 } })
    const hostile = { 'x-forwarded-host': "x'; id #" }
    expect(await get('/config-file', 'http://relt.example', hostile)).not.toHaveProperty('radar')
    expect((await get('/command', 'http://relt.example', hostile)).powershell_command).not.toMatch(/radar/i)
  })

  test('keeps the address that it names itself, and is stored as it was given', async () => {
    const { get } = await openProfiles({ radar: { ...radar, api_base_url: 'https://own.example/v1' } })
    expect((await get('/config-file', 'http://relt.example')).radar.api_base_url).toBe('https://own.example/v1')
    const { get: getOther } = await openProfiles({ radar })
    await getOther('/config-file', 'http://relt.example')
    expect((await getOther('', 'http://relt.example')).settings).toEqual({ radar })
  })

  test('of any 200 uploads nowhere but to its own address or that of the server', async () => {
    const { get, call, headers, config_id } = await openProfiles({})
    const server = 'http://relt.example/api/relt/v1'
    let uploading = 0
    for (const { provider, settings } of fc.sample(hostileProfile, 200)) {
      const body = { provider, settings }
      expect((await call(`/cluster-configs/${config_id}`, { method: 'PUT', headers, body })).status).toBe(200)
      const command = await get('/command', 'http://relt.example')
      const { content, radar } = await get('/config-file', 'http://relt.example')
      const address = settings.radar?.api_base_url ?? server
      for (const each of [radar, parse(content).radar]) if (each) expect(each.api_base_url).toBe(address)
      const { upload, compare, fetch_config } = settings.radar ?? {}
      const flags = ['powershell_command', 'powershell_multiline', 'native_command', 'docker_env', 'docker_command']
        .filter((name) => command[name])
        .map((name) => command[name].match(/radar[-_]?api[-_]?base[-_]?url[ =]+'https?:/gi)?.length ?? 0)
      const contacts = Boolean(upload || compare || fetch_config)
      expect(flags).toEqual(flags.map(() => Number(contacts)))
      if (contacts) uploading++
    }
    expect(uploading).toBeGreaterThan(20)
  })
})

test('profiles that are made of reports do not upload', async () => {
  const { call, signUp } = await openHttp()
  const { headers } = await signUp('ada')
  await call('/cluster-reports', { headers, body: { report: smallReports[0] } })
  const { body } = await call('/cluster-configs/bootstrap-from-reports', { headers, body: {} })
  expect(body.created).toMatchObject([{ settings: { radar: { environment: 'prod' } } }])
  const { config_id, settings } = body.created[0]
  expect(JSON.stringify(settings)).not.toMatch(/upload|compare|fetch/)
  const command = await call(`/cluster-configs/${config_id}/command`, { headers })
  expect(JSON.stringify(command.body)).not.toMatch(/radar/i)
  const file = await call(`/cluster-configs/${config_id}/config-file`, { headers })
  expect(file.body.radar).toMatchObject({ enabled: false, api_base_url: 'http://localhost/api/relt/v1' })
})
