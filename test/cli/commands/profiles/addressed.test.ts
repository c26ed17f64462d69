import { beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { uploadsAnywhere } from '../../../../src/cli/commands/profiles/addressed.ts'
import { openServerWithUser } from '../../../client/open.ts'
import { openLocalServer, sendJson } from '../../../collectors/local-server.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'

const radar = { upload: true, compare: true }
const shells = ['powershell', 'bash', 'docker']

/** `relt profiles` with a server; one word is one argument. */
function configsAt(url: string, password = 'x') {
  const env = { RELT_SERVER: url, RELT_USERNAME: 'ada', RELT_PASSWORD: password }
  const home = temporaryFolder()
  return (argv: string) => runCli(['profiles', ...argv.split(' ')], { home, env })
}

test('commands and files of a server of ours upload to it', async () => {
  const { server, password } = await openServerWithUser()
  const configs = configsAt(server.url, password)
  const created = await configs('create shop --set radar.upload=true')
  expect(created.stderr).toContain(`! The scanner uploads to ${server.url}\n`)
  for (const shell of shells) {
    const { stdout, stderr } = await configs(`command shop --shell ${shell}`)
    expect(stdout).toContain(`'${server.url}'`)
    expect(stderr).toBe(`! The scanner uploads to ${server.url}\n`)
  }
  const { stdout } = await configs('file shop')
  expect(parse(stdout).radar).toMatchObject({ enabled: true, api_base_url: server.url })
  expect((await configs('show shop')).stdout).toContain(`# The scanner uploads to ${server.url}\n`)
})

describe('another implementation', () => {
  const profile = {
    config_id: 'ccfg_1',
    name: 'shop',
    cluster_name: 'shop',
    provider: 'kubernetes',
    notes: '',
    settings: { radar },
    created_at: '2026-09-01 12:00:00',
    updated_at: '2026-09-01 12:00:00',
  }
  const none = { credential_variables: [], container_credential_variables: [], warnings: [] }
  let command = {}
  let file = {}
  let configs: ReturnType<typeof configsAt>
  let url = ''

  beforeEach(async () => {
    command = {
      powershell_command: 'Invoke-KubeBuddy -jsonReport -RadarUpload',
      powershell_multiline: 'Invoke-KubeBuddy',
      docker_command: "docker run -e RADAR_UPLOAD='true' image",
      docker_env: "-e RADAR_UPLOAD='true'",
      native_command: 'kubebuddy run --radar-upload',
      yaml_filename: 'theirs.yaml',
      ...none,
    }
    file = { filename: 'theirs.yaml', content: 'radar:\n  enabled: true\n', content_type: 'application/yaml' }
    const server = await openLocalServer(({ path }, response) => {
      if (path.endsWith('/command')) return sendJson(response, command)
      if (path.endsWith('/config-file')) return sendJson(response, file)
      if (path.endsWith('/ccfg_1')) return sendJson(response, profile)
      return sendJson(response, { success: true, items: [profile], total: 1 })
    })
    url = `${server.url}/v1`
    configs = configsAt(url)
  })

  test('does not make a command upload without an address', async () => {
    for (const shell of shells) {
      const { stdout, stderr } = await configs(`command shop --shell ${shell}`)
      expect(stdout).toMatch(/radar[-_]?upload/i)
      expect(stdout).toContain(`'${url}'`)
      expect(stderr).toContain(`! The scanner uploads to ${url}\n! relt generated this from the profile`)
    }
    const { stdout } = await configs('command shop --json')
    expect(JSON.parse(stdout).powershell_command).toContain(`-RadarApiBaseUrl '${url}'`)
  })

  test('has its own command shown when that names its server, or uploads nothing', async () => {
    for (const line of [
      `Invoke-KubeBuddy -RadarUpload -RadarApiBaseUrl '${url}' -Theirs`,
      'Invoke-KubeBuddy -Theirs',
    ]) {
      command = { ...command, powershell_command: line, docker_command: null, docker_env: '', native_command: 'x' }
      expect(await configs('command shop')).toEqual({ code: 0, stdout: `${line}\n`, stderr: '' })
    }
  })

  test.each([
    ['radar:\n  enabled: true\n'],
    ['Radar: {enabled: true}\n'],
    ['radar: {enabled: true, api_base_url: ""}\n'],
    ['radar: [enabled]\n'],
    ['a: [b\n'],
    ['just text'],
  ])('does not make the file %j upload without an address', async (content) => {
    file = { ...file, content }
    const { stdout, stderr } = await configs('file shop')
    expect(parse(stdout)).toEqual({ radar: expect.objectContaining({ enabled: true, api_base_url: url }) })
    expect(stderr).toContain('relt generated this')
    expect(JSON.parse((await configs('file shop --json')).stdout).radar.api_base_url).toBe(url)
  })

  test('does not make the body of a file upload without an address', async () => {
    file = { ...file, content: '{}\n', radar: { enabled: true } }
    expect(JSON.parse((await configs('file shop --json')).stdout).radar.api_base_url).toBe(url)
  })

  test('has its own file shown when that names a server, or has no radar', async () => {
    for (const content of ['radar: {enabled: true, api_base_url: "https://theirs/v1"}\n', 'excluded_checks: [A]\n']) {
      file = { ...file, content }
      expect(await configs('file shop')).toEqual({ code: 0, stdout: content, stderr: '' })
    }
  })
})

test.each([
  ['kubebuddy run', false],
  ['kubebuddy run --radar-upload', true],
  ["kubebuddy run --radar-upload --radar-api-base-url='https://r/v1'", false],
  ["kubebuddy run --radar-api-base-url 'https://r/v1' --radar-compare", false],
  ["kubebuddy run --radar-upload --radar-api-base-url=''", true],
  ['kubebuddy run --radar-upload --radar-api-base-url=$URL', true],
  ["kubebuddy run --radar-upload --cluster-name='--radar-api-base-url=https://r/v1'", true],
  ["kubebuddy run --radar-upload --cluster-name='it'\\'' --radar-api-base-url=https://r/v1'", true],
  ['Invoke-KubeBuddy -RadarFetchConfig', true],
  ["Invoke-KubeBuddy -RadarFetchConfig -RadarApiBaseUrl 'http://r/v1'", false],
  ["-e RADAR_UPLOAD='true'\n-e RADAR_API_BASE_URL='https://r/v1'", false],
  ["-e 'RADAR_COMPARE=true'", true],
])('%s uploads anywhere: %s', (line, anywhere) => {
  expect(uploadsAnywhere(line)).toBe(anywhere)
})
