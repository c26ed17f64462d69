import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openClient, openServerWithUser } from '../../../client/open.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { makePrograms } from '../../../helpers/programs.ts'
import { exampleFile, readReportFile } from '../../../helpers/report.ts'
import { talk } from '../../../helpers/terminal.ts'

const evil = { enabled: true, url: 'https://evil.example/api', mode: 'bearer', bearerTokenEnv: 'AWS_SECRET_ACCESS_KEY' }
const question = 'Allow profiles of this server'

async function prepare(prometheus: object = evil) {
  const { server, password } = await openServerWithUser()
  const client = openClient(server)
  const save = (settings: Record<string, unknown>) =>
    client.call('createConfig', { body: { name: 'prod', cluster_name: 'shop', provider: 'kubernetes', settings } })
  const { config_id } = await save({ prometheus })
  const home = temporaryFolder()
  const report = join(home, 'scanned.json')
  writeFileSync(report, JSON.stringify(readReportFile(exampleFile(1))))
  const fake = makePrograms(home, ['kubebuddy'], { FAKE_REPORT: report, AWS_SECRET_ACCESS_KEY: 'hunter2' })
  const env = { ...fake.env, RELT_SERVER: server.url, RELT_USERNAME: 'ada', RELT_PASSWORD: password }
  const scan = (argv = '') => runCli(`scan run --profile prod --no-inventory ${argv}`.trim().split(' '), { home, env })
  const ask = (typed: string) =>
    talk(['scan', 'run', '--profile', 'prod', '--no-inventory'], [[question, typed]], { home, env: fake.env, server })
  const change = (settings: Record<string, unknown>) =>
    client.call('updateConfig', { params: { config_id: config_id! }, body: { settings } })
  const settings = () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))
  return { server, fake, scan, ask, change, settings, home, env }
}

describe('a profile of a server', () => {
  test('scans with no variable and no host that was not allowed', async () => {
    const { scan, fake } = await prepare()
    for (const argv of [
      '',
      '--allow-env PROM_TOKEN',
      '--allow-env AWS_SECRET_ACCESS_KEY',
      '--allow-host evil.example',
    ]) {
      const { code, stderr } = await scan(argv)
      expect([argv, code]).toEqual([argv, 2])
      expect(stderr).toContain(argv.includes('AWS') ? '--allow-host evil.example' : '--allow-env AWS_SECRET_ACCESS_KEY')
      expect(stderr).not.toContain('hunter2')
    }
    expect(fake.calls()).toEqual([])
  })

  test('scans with what the options allow, without remembering it', async () => {
    const { scan, fake } = await prepare()
    const allowed = '--allow-env OTHER --allow-env AWS_SECRET_ACCESS_KEY --allow-host evil.example'
    expect(await scan(allowed)).toMatchObject({ code: 0 })
    expect(fake.calls().length).toBeGreaterThan(0)
    expect(await scan()).toMatchObject({ code: 2 })
  })

  test.each(['/etc/cron.d', '../up', 'a/../../up', 'C:\\\\reports', '\\\\share'])(
    'does not choose a folder of reports outside the current one: %s',
    async (outputPath) => {
      const { scan, fake, change, home } = await prepare()
      const saved = await change({ output: { outputPath } }).then(
        () => true,
        () => false,
      )
      if (!saved) return expect(outputPath).toContain(':')
      const { code, stderr } = await scan()
      expect(code).toBe(2)
      expect(stderr).toContain('--out')
      expect(fake.calls()).toEqual([])
      expect(await scan(`--out ${join(home, 'reports')}`)).toMatchObject({ code: 0 })
    },
  )

  test('asks once at a terminal, and the answer is for this server alone', async () => {
    const { ask, scan, settings, server, fake } = await prepare()
    const asked = await ask('y\r')
    expect(asked.stderr).toContain('the environment variable AWS_SECRET_ACCESS_KEY')
    expect(asked.stderr).toContain('the host evil.example')
    expect(asked).toMatchObject({ code: 0, left: [] })
    expect(settings()).toEqual({
      scan_access: { [server.url]: { env: ['AWS_SECRET_ACCESS_KEY'], hosts: ['evil.example'] } },
    })
    // Not asked again.
    expect(await ask('n\r')).toMatchObject({ code: 0, left: [[question, 'n\r']] })
    expect(await scan()).toMatchObject({ code: 0 })
    const other = await prepare()
    expect(await runCli(['scan', 'run', '--profile', 'prod'], { home: fake.env.HOME!, env: other.env })).toMatchObject({
      code: 2,
    })
  })

  test('does not scan when the answer is no', async () => {
    const { ask, fake, scan } = await prepare()
    expect(await ask('n\r')).toMatchObject({ code: 130, left: [] })
    expect(fake.calls()).toEqual([])
    expect(await scan()).toMatchObject({ code: 2 })
  })

  test('is asked about again when the server names another host', async () => {
    const { ask, scan, change } = await prepare({ ...evil, url: 'https://prometheus.shop.example' })
    expect(await ask('y\r')).toMatchObject({ code: 0 })
    await change({ prometheus: evil })
    expect(await scan()).toMatchObject({ code: 2, stderr: expect.stringContaining('--allow-host evil.example') })
  })

  test.each([
    ['basic', ['PROMETHEUS_USERNAME', 'PROMETHEUS_PASSWORD', 'evil.example']],
    ['azure', ['AZURE_CLIENT_SECRET', 'evil.example']],
    ['gcp', ['evil.example']],
    ['local', ['evil.example']],
  ])('names what Prometheus gets in the mode %s', async (mode, names) => {
    const { scan } = await prepare({ enabled: true, url: 'http://evil.example', mode })
    const { code, stderr } = await scan()
    expect([code, names.filter((name) => !stderr.includes(name))]).toEqual([2, []])
  })

  test('needs no permission without Prometheus', async () => {
    const { scan } = await prepare({ ...evil, enabled: false })
    expect(await scan()).toMatchObject({ code: 0 })
  })
})

test('a profile of the store on this machine needs no permission', async () => {
  const { home, env } = await prepare()
  const set = ['url=https://prom.example', 'mode=bearer', 'bearerTokenEnv=TOKEN', 'enabled=true']
  const settings = set.flatMap((each) => ['--set', `prometheus.${each}`])
  const create = ['profiles', 'create', 'prod', '--cluster', 'shop', ...settings, '--local']
  expect(await runCli(create, { home, env })).toMatchObject({ code: 0 })
  expect(await runCli(['scan', 'run', '--profile', 'prod', '--local'], { home, env })).toMatchObject({ code: 0 })
})
