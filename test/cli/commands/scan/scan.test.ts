import { join } from 'node:path'
import { expect, test } from 'vitest'
import inventoryVerb from '../../../../src/cli/commands/scan/inventory.ts'
import { runCli } from '../../../helpers/cli.ts'
import { folderOfFile, parse } from '../../../helpers/output.ts'
import { makePrograms } from '../../../helpers/programs.ts'
import { deployment, pod, writeCluster } from '../../../scan/cluster.ts'

test.each([
  ['', {}],
  ['--out i.json --exclude-namespaces a,,b', { out: 'i.json', excludeNamespaces: ['a', 'b'] }],
])('scan inventory %s', async (argv, expected) => {
  expect(await parse(inventoryVerb, argv.split(' ').filter(Boolean))).toEqual([expected])
})

const home = folderOfFile()

test('scan inventory lists what runs', async () => {
  writeCluster(join(home, 'cluster'), {
    deployments: [deployment('web', ['nginx:1.27.3'], { labels: { 'helm.sh/chart': 'web-1.2.3' } })],
    pods: [
      pod('web-65cc8855c-a', ['nginx:1.27.3'], { deployment: 'web' }),
      pod('dns', ['coredns:1.11.1'], { namespace: 'kube-system' }),
    ],
  })
  const { env } = makePrograms(home, [])
  const { stdout, stderr } = await runCli(['scan', 'inventory'], { home, env })
  expect(stdout).toMatchInlineSnapshot(`
    "NAMESPACE    WORKLOAD        IMAGE           CHART
    shop         deployment/web  nginx:1.27.3    web
    kube-system  pod/dns         coredns:1.11.1
    "
  `)
  expect(stderr.split('\n').filter(Boolean).length).toBe(2)
  const { stdout: json } = await runCli(['scan', 'inventory', '--exclude-namespaces', 'kube-system', '--json'], {
    home,
    env,
  })
  expect(JSON.parse(json).images.map((image: { fullRef: string }) => image.fullRef)).toEqual(['nginx:1.27.3'])
})

test('scan inventory says which file cannot be written', async () => {
  const { env } = makePrograms(home, [])
  const result = await runCli(['scan', 'inventory', '--out', join(home, 'none', 'x.json')], { home, env })
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be written') })
})
