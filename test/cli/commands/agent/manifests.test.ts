import { expect, test } from 'vitest'
import manifestsVerb from '../../../../src/cli/commands/agent/manifests.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { parse } from '../../../helpers/output.ts'

test.each([
  ['systemd --user', 'systemd', { user: true }],
  [
    'launchd --config a.yaml --kubeconfig k --program /opt/relt',
    'launchd',
    { config: 'a.yaml', kubeconfig: 'k', program: '/opt/relt' },
  ],
])('agent manifests %s', async (argv, target, options) => {
  expect(await parse(manifestsVerb, argv.split(' '))).toEqual([target, options])
})

test.each(['upstart', 'kubernetes'])('agent manifests %s is refused', async (argv) => {
  await expect(parse(manifestsVerb, argv.split(' '))).rejects.toThrow(/Allowed/i)
})

const relt = (argv: string) => runCli(['agent', 'manifests', ...argv.split(' ')], { home: temporaryFolder() })

test('prints a task without an encoding, which the shell decides', async () => {
  const { code, stdout } = await relt('windows --user')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^<\?xml version="1\.0"\?>\n<Task version="1\.4"/)
})

test('--json has the files', async () => {
  const { stdout } = await relt('systemd --program /opt/relt --json')
  const { files } = JSON.parse(stdout)
  expect(files).toEqual([{ path: 'relt-agent.service', content: expect.stringContaining('ExecStart=/opt/relt agent') }])
})
