import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import commandCommandVerb from '../../../../src/cli/commands/profiles/command.ts'
import fileVerb from '../../../../src/cli/commands/profiles/file.ts'
import {
  remove as deleteVerb,
  list as listVerb,
  showProfile as showVerb,
} from '../../../../src/cli/commands/profiles/noun.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { parse, printAll } from '../../../helpers/output.ts'
import { talk } from '../../../helpers/terminal.ts'

let home = ''
const configs = (...argv: string[]) => runCli(['profiles', ...argv], { home })
const masked = (text: string) => text.replace(/(?<=ccfg_)[0-9a-f]{20}/g, (id) => '*'.repeat(id.length))
const listed = async () => JSON.parse((await configs('list', '--settings', '--json')).stdout).items
beforeEach(() => {
  home = temporaryFolder()
})

const shop = ['create', 'shop-prod', '--set', 'radar.upload=true', 'excluded_namespaces=[kube-system]']

test.each([
  ['list', listVerb, [], [{}]],
  ['list', listVerb, ['--settings', '-p', '2'], [{ settings: true, page: 2 }]],
  ['show', showVerb, ['shop'], ['shop']],
  ['show', showVerb, [], [undefined]],
  ['delete', deleteVerb, ['shop', '-y'], ['shop', { yes: true }]],
  ['command', commandCommandVerb, ['shop', '--shell', 'bash'], ['shop', { shell: 'bash' }]],
  ['command', commandCommandVerb, [], [undefined, {}]],
  ['file', fileVerb, ['shop', '--out', 'x.yaml', '-y'], ['shop', { out: 'x.yaml', yes: true }]],
])('%s is given %o', async (_, declared, argv, expected) => {
  expect(await parse(declared, argv)).toEqual(expected)
})

test.each(['zsh', 'PowerShell'])('%s is refused as a shell', async (shell) => {
  await expect(parse(commandCommandVerb, ['--shell', shell])).rejects.toThrow('powershell, bash, docker')
})

describe('list', () => {
  test('prints the profiles', async () => {
    await configs(...shop)
    await configs('create', 'edge', '--cluster', 'edge-01', '--provider', 'eks')
    expect(masked(await printAll(['profiles', 'list'], home))).toMatchInlineSnapshot(`
      "
      === 80 columns
      ID                         NAME       CLUSTER    PROVIDER
      ccfg_********************  shop-prod  shop-prod  kubernetes
      ccfg_********************  edge       edge-01    eks
      === 120 columns
      ID                         NAME       CLUSTER    PROVIDER    CHANGED
      ccfg_********************  shop-prod  shop-prod  kubernetes  just now
      ccfg_********************  edge       edge-01    eks         just now
      === pipe
      ID                         NAME       CLUSTER    PROVIDER    CHANGED
      ccfg_********************  shop-prod  shop-prod  kubernetes  2026-09-01 12:00:00
      ccfg_********************  edge       edge-01    eks         2026-09-01 12:00:00
      === --json
      {"success":true,"page":1,"per_page":20,"total":2,"total_pages":1,"items":[{"config_id":"ccfg_********************","name":"shop-prod","cluster_name":"shop-prod","provider":"kubernetes","created_at":"2026-09-01 12:00:00","updated_at":"2026-09-01 12:00:00"},{"config_id":"ccfg_********************","name":"edge","cluster_name":"edge-01","provider":"eks","created_at":"2026-09-01 12:00:00","updated_at":"2026-09-01 12:00:00"}]}
      "
    `)
  })

  test('says that there is none', async () => {
    expect(await configs('list')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No profiles yet. Create one: relt profiles create NAME\n',
    })
  })
})

describe('show', () => {
  test('prints a profile as YAML', async () => {
    await configs(...shop)
    expect(masked(await printAll(['profiles', 'show', 'SHOP-prod'], home))).toMatchInlineSnapshot(`
      "
      === 80 columns, 120 columns, pipe
      # ccfg_********************, changed 2026-09-01 12:00:00
      # The profile has no server, so nothing is uploaded, compared or fetched. Set radar.api_base_url.
      # The scanner still scans excluded_namespaces, because output.excludeNamespaces is off.
      name: shop-prod
      cluster_name: shop-prod
      provider: kubernetes
      notes: ""
      settings:
        excluded_namespaces:
          - kube-system
        radar:
          upload: true
      === --json
      {"config_id":"ccfg_********************","name":"shop-prod","cluster_name":"shop-prod","provider":"kubernetes","notes":"","settings":{"excluded_namespaces":["kube-system"],"radar":{"upload":true}},"created_at":"2026-09-01 12:00:00","updated_at":"2026-09-01 12:00:00"}
      "
    `)
  })

  test('takes an id, and says which names it does not know', async () => {
    await configs(...shop)
    const [{ config_id }] = await listed()
    expect(JSON.parse((await configs('show', config_id, '--json')).stdout)).toMatchObject({ config_id })
    expect(await configs('show', 'nope')).toEqual({
      code: 3,
      stdout: '',
      stderr: 'error: No profile named "nope".\nhint: List them: relt profiles list\n',
    })
  })

  test('lets a profile be chosen on a terminal only', async () => {
    await configs(...shop)
    await configs('create', 'edge', '--cluster', 'edge-01')
    const steps: [string, string][] = [
      ['Which profile?', 'edg'],
      ['edge-01 (kubernetes)', '\r'],
    ]
    const chosen = await talk(['profiles', 'show'], steps, { home })
    expect(chosen).toMatchObject({ code: 0, left: [], stdout: expect.stringContaining('cluster_name: edge-01\n') })
    expect(await configs('show')).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('delete', () => {
  test('needs --yes where nobody can be asked', async () => {
    await configs(...shop)
    expect(await configs('delete', 'shop-prod')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: This needs a confirmation, because it cannot be undone.\nhint: Add --yes to confirm.\n',
    })
    expect(await listed()).toHaveLength(1)
    const { code, stdout, stderr } = await configs('delete', 'shop-prod', '--yes')
    expect({ code, stdout, stderr: masked(stderr) }).toEqual({
      code: 0,
      stdout: '',
      stderr: `✓ Deleted the profile shop-prod (ccfg_${'*'.repeat(20)})\n`,
    })
    expect(await listed()).toEqual([])
  })

  test('with --json answers with success', async () => {
    await configs(...shop)
    expect(await configs('delete', 'shop-prod', '-y', '--json')).toEqual({
      code: 0,
      stdout: '{"success":true}\n',
      stderr: '',
    })
  })
})

describe('command', () => {
  test('prints the command and nothing else', async () => {
    await configs(...shop)
    const { stdout } = await configs('command', 'shop-prod', '--json')
    const all = JSON.parse(stdout)
    const stderr = all.warnings.map((warning: string) => `! ${warning}\n`).join('')
    expect(stderr).not.toBe('')
    for (const [argv, line] of [
      [[], all.powershell_command],
      [['--shell', 'powershell'], all.powershell_command],
      [['--shell', 'bash'], all.native_command],
      [['--shell', 'docker'], all.docker_command],
      [['--shell', 'docker-powershell'], all.docker_powershell_command],
    ]) {
      const only = { code: 0, stdout: `${line}\n`, stderr }
      expect(await configs('command', 'shop-prod', ...argv)).toEqual(only)
      // A terminal breaks long lines for the eye alone, so that what is copied still works.
      const options = { home, columns: 80, env: { NO_COLOR: '1' } }
      const { code, stdout } = await runCli(['profiles', 'command', 'shop-prod', ...argv], options)
      expect({ code, stdout }).toEqual({ code: only.code, stdout: only.stdout })
    }
  })

  test('says why there is none for a container', async () => {
    const gke = ['gke.projectId=p', 'gke.location=l', 'gke.clusterName=c']
    await configs('create', 'edge', '--provider', 'gke', '--set', ...gke)
    const { code, stdout, stderr } = await configs('command', 'edge', '--shell', 'docker')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^! .*container.*\nerror: The container cannot run the profile edge.\n/s)
    expect(JSON.parse((await configs('command', 'edge', '--shell', 'docker', '--json')).stdout).docker_command).toBe(
      null,
    )
  })
})

describe('file', () => {
  test('prints the configuration file', async () => {
    await configs(...shop)
    expect(masked(await printAll(['profiles', 'file', 'shop-prod'], home))).toMatchInlineSnapshot(`
      "
      === 80 columns, 120 columns, pipe
      # The profile has no server, so nothing is uploaded, compared or fetched. Set radar.api_base_url.
      # The scanner still scans excluded_namespaces, because output.excludeNamespaces is off.
      excluded_namespaces:
        - "kube-system"
      === --json
      {"filename":"kubebuddy-shop-prod.yaml","content":"# The profile has no server, so nothing is uploaded, compared or fetched. Set radar.api_base_url.\\n# The scanner still scans excluded_namespaces, because output.excludeNamespaces is off.\\nexcluded_namespaces:\\n  - \\"kube-system\\"\\n","content_type":"application/yaml","excluded_namespaces":["kube-system"]}
      "
    `)
  })

  test('writes it for its owner alone, and never through what is there', async () => {
    await configs(...shop)
    const out = join(home, 'scan.yaml')
    const { stdout: content } = await configs('file', 'shop-prod')
    const remarks = content.split('\n').filter((line) => line.startsWith('#'))
    expect(remarks).toHaveLength(2)
    expect(await configs('file', 'shop-prod', '--out', out)).toEqual({
      code: 0,
      stdout: '',
      stderr: `✓ Wrote ${out}\n${remarks.map((line) => `!${line.slice(1)}\n`).join('')}`,
    })
    expect(readFileSync(out, 'utf8')).toBe(content)
    if (process.platform !== 'win32') expect(statSync(out).mode & 0o777).toBe(0o600)

    expect(await configs('file', 'shop-prod', '--out', out)).toMatchObject({ code: 2, stdout: '' })
    const other = join(home, 'other')
    const link = join(home, 'link')
    writeFileSync(other, 'kept')
    symlinkSync(other, link)
    expect(await configs('file', 'shop-prod', '--out', link, '--yes')).toMatchObject({ code: 0 })
    expect([readFileSync(other, 'utf8'), readFileSync(link, 'utf8')]).toEqual(['kept', content])
  })

  test('leaves nothing behind where it cannot be written', async () => {
    await configs(...shop)
    const before = readdirSync(home)
    expect(await configs('file', 'shop-prod', '--out', home, '--yes')).toMatchObject({ code: 2, stdout: '' })
    expect(await configs('file', 'shop-prod', '--out', join(home, 'no', 'x'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be written: no such folder.'),
    })
    expect(readdirSync(home)).toEqual(before)
  })
})
