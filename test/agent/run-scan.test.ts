import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { withoutIds } from '../helpers/output.ts'
import { makePrograms } from '../helpers/programs.ts'
import { exampleFile, readReportFile } from '../helpers/report.ts'
import { deployment, writeCluster } from '../scan/cluster.ts'

/** A store of its own with a scan profile. Returns the run that `work` stores, and the files that it saves. */
async function toRun(work: (relt: (argv: string) => Promise<unknown>, home: string) => Promise<unknown>) {
  const home = temporaryFolder()
  const report = join(home, 'scanned.json')
  const { metadata, checks } = readReportFile(exampleFile(1))
  writeFileSync(report, JSON.stringify({ metadata, checks }))
  writeCluster(join(home, 'cluster'), { deployments: [deployment('web', ['nginx:1.27.3'])] })
  const fake = makePrograms(home, ['kubebuddy'], { FAKE_REPORT: report, SCAN_TOKEN: 'a-secret-token' })
  const relt = async (argv: string) => {
    const { code, stdout, stderr } = await runCli(argv.split(' '), { home, env: fake.env })
    expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
    return stdout
  }
  await relt('profiles create prod --cluster shop --provider eks --set eks.region=eu-1')
  await work(relt, home)
  const run: string = withoutIds(await relt('reports show --json'))
  return { run: JSON.parse(run), files: readdirSync(join(home, 'saved')).length }
}

test('a job stores the same run as scan run with the same options', async () => {
  const scanned = await toRun((relt, home) => relt(`scan run --profile prod -e dev --out ${join(home, 'saved')}`))
  const performed = await toRun(async (relt, home) => {
    const job = `{name: nightly, every: 1h, profile: prod, environment: dev, keep_reports: ${join(home, 'saved')}}`
    writeFileSync(join(home, 'agent.yaml'), `jobs:\n  - ${job}\n`)
    await relt('agent trigger nightly')
    await relt('agent run --once')
  })
  expect(scanned.run).toMatchObject({ cluster_name: 'shop', environment: 'dev', provider: 'eks', region: 'eu-1' })
  expect(scanned.files).toBeGreaterThan(0)
  expect(performed).toEqual(scanned)
})
