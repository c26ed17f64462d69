import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import manifestsVerb from '../../../../src/cli/commands/agent/manifests.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { parse } from '../../../helpers/output.ts'

test.each([
  ['systemd --user', 'systemd', { user: true }],
  [
    'kubernetes --form cronjob --image a/b:1 --namespace ops --server-port 8443',
    'kubernetes',
    {
      form: 'cronjob',
      image: 'a/b:1',
      namespace: 'ops',
      serverPort: 8443,
    },
  ],
  [
    'launchd --config a.yaml --kubeconfig k --out d --program /opt/relt',
    'launchd',
    {
      config: 'a.yaml',
      kubeconfig: 'k',
      out: 'd',
      program: '/opt/relt',
    },
  ],
])('agent manifests %s', async (argv, target, options) => {
  expect(await parse(manifestsVerb, argv.split(' '))).toEqual([target, options])
})

test.each(['upstart', 'kubernetes --form pod', 'kubernetes --namespace A', 'kubernetes --server-port 0'])(
  'agent manifests %s is refused',
  async (argv) => {
    await expect(parse(manifestsVerb, argv.split(' '))).rejects.toThrow(/Allowed|use lower-case|whole number|from 1/i)
  },
)

const config = 'jobs:\n  - { name: nightly, every: 1d, profile: prod }\n'

function prepare() {
  const home = temporaryFolder()
  writeFileSync(join(home, 'agent.yaml'), config)
  const relt = (argv: string) => runCli(['agent', 'manifests', ...argv.split(' ')], { home })
  return { home, relt }
}

describe('kubernetes', () => {
  test('names the paths of jobs that the pod does not have', async () => {
    const { home, relt } = prepare()
    const watched = ['/data/in', '/srv/reports', '/data/../srv'].map(
      (folder, index) => `  - { name: w${index}, watch: { folder: ${folder} }, gate: /data/relt.yaml }\n`,
    )
    writeFileSync(join(home, 'agent.yaml'), `jobs:\n${watched.join('')}`)
    const { code, stderr } = await relt('kubernetes --image a/b:1')
    expect(code).toBe(0)
    expect(stderr.match(/The pod has no \S+\./g)).toEqual([
      'The pod has no /srv/reports.',
      'The pod has no /data/../srv.',
    ])
  })

  test('prints one stream of documents with the configuration', async () => {
    const { code, stdout, stderr } = await prepare().relt('kubernetes')
    const documents = parseAllDocuments(stdout).map((document) => document.toJS())
    expect(code).toBe(0)
    expect(documents.map(({ kind }) => kind)).toEqual([
      ...['Namespace', 'Secret', 'ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'NetworkPolicy'],
      ...['PersistentVolumeClaim', 'Deployment'],
    ])
    expect(documents[1].stringData).toEqual({ 'agent.yaml': config })
    expect(stderr).toContain('relt publishes no image')
  })

  test('writes a Kustomize base, and never over files', async () => {
    const { home, relt } = prepare()
    const out = join(home, 'base')
    expect(await relt(`kubernetes --form cronjob --image a/b:1 --out ${out}`)).toMatchObject({ code: 0, stdout: '' })
    const [kustomization] = parseAllDocuments(readFileSync(join(out, 'kustomization.yaml'), 'utf8'))
    expect(readdirSync(out).sort()).toEqual(
      ['agent.yaml', 'kustomization.yaml', ...kustomization!.toJS().resources].sort(),
    )
    expect(readFileSync(join(out, 'agent.yaml'), 'utf8')).toBe(config)
    const again = await relt(`kubernetes --image a/b:1 --out ${out}`)
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('it already exists') })
  })

  test('needs a configuration without mistakes', async () => {
    const { home, relt } = prepare()
    writeFileSync(join(home, 'agent.yaml'), 'jobs: []\n')
    expect((await relt('kubernetes')).code).toBe(2)
  })
})

test('the Task Scheduler gets its file in UTF-16', async () => {
  const { home, relt } = prepare()
  await relt(`windows --out ${home}/out`)
  const bytes = readFileSync(join(home, 'out', 'relt-agent.xml'))
  expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xfe])
  expect(bytes.toString('utf16le')).toContain('<Task version="1.4"')
})

test('--json has the files', async () => {
  const { stdout } = await prepare().relt('systemd --program /opt/relt --json')
  const { files } = JSON.parse(stdout)
  expect(files).toEqual([{ path: 'relt-agent.service', content: expect.stringContaining('ExecStart=/opt/relt agent') }])
})
