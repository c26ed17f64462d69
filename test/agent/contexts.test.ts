import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { makePrograms } from '../helpers/programs.ts'
import { exampleFile, readReportFile } from '../helpers/report.ts'
import { deployment, wholeCluster, writeCluster } from '../scan/cluster.ts'

/**
 * A kubeconfig of contexts that are all of a cluster that its report calls `kubernetes`. The API server of `gone` does not answer, and at
 * the address of `other` is something else.
 */
async function openMachine() {
  const home = temporaryFolder()
  const report = join(home, 'scanned.json')
  const { metadata, checks } = readReportFile(exampleFile(1))
  writeFileSync(report, JSON.stringify({ metadata: { ...metadata, clusterName: 'kubernetes' }, checks }))
  for (const context of ['blue', 'green', 'gone', 'other']) {
    const deployments = [deployment('web', [`nginx:${context === 'blue' ? '1.27.3' : '1.29.0'}`])]
    writeCluster(join(home, 'cluster'), wholeCluster({ deployments }), {
      context,
      isAnother: context === 'other',
      isGone: context === 'gone',
    })
  }
  const fake = makePrograms(home, ['kubebuddy'], { FAKE_REPORT: report })
  const run = (argv: string) => runCli(argv.split(' '), { home, env: fake.env })
  const json = async (argv: string) => JSON.parse((await run(`${argv} --json`)).stdout)
  return { home, fake, run, json }
}

test('one agent scans the clusters of a kubeconfig into histories of their own', async () => {
  const { home, fake, run, json } = await openMachine()
  await run('profiles create any')
  await run('profiles create of-green --set context=green')
  writeFileSync(
    join(home, 'agent.yaml'),
    `jobs:
  - {name: gone, every: 1h, profile: any, context: gone}
  - {name: blue, every: 1h, profile: any, context: blue}
  - {name: green, every: 1h, profile: of-green}
`,
  )
  for (const name of ['gone', 'blue', 'green']) await run(`agent trigger ${name}`)
  await run('agent run --once')
  const { clusters } = await json('status --all')
  expect(clusters.map(({ cluster_name }: { cluster_name: string }) => cluster_name).sort()).toEqual(['blue', 'green'])
  const contexts = fake.calls().map(({ kubeconfig }) => JSON.parse(kubeconfig!.text)['current-context'])
  expect(contexts.sort()).toEqual(['blue', 'green'])
  const { items } = await json('reports freshness --cluster green')
  expect(items.map(({ current_version }: { current_version: string }) => current_version)).toContain('1.29.0')
  // The one that is out of reach is said, and no scanner waits for it.
  const history = await run('agent history')
  expect(history.stdout).toMatch(/gone.*failed.*The cluster of the context gone is out of reach/)
})

test('a command asks the context that it is given', async () => {
  const { json, run } = await openMachine()
  expect(await json('scan inventory --context blue')).toMatchObject({ images: [{ tag: '1.27.3' }] })
  expect(await json('scan run --context green')).toMatchObject({ run: { cluster_name: 'green' } })
  for (const command of ['scan run', 'scan collect --from trivy-operator']) {
    for (const context of ['gone', 'other']) {
      expect(await run(`${command} --context ${context}`)).toMatchObject({
        stderr: expect.stringContaining(`The cluster of the context ${context} is out of reach`),
      })
    }
  }
})
