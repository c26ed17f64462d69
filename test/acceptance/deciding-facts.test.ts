import { expect, test } from 'vitest'
import { storeAdvisories } from '../helpers/advisories.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { makeSmallStore } from '../helpers/small-store.ts'

/** A store of one cluster that runs two images of known projects, a chart and an unknown image, on Kubernetes 1.34.2. */
async function openStore() {
  const home = temporaryFolder()
  await makeSmallStore(home)
  const run = (...argv: string[]) => runCli(argv, { home })
  const records: Parameters<typeof storeAdvisories>[1] = []
  /** An advisory that affects nothing that runs. */
  const addAdvisory = async (project: string) => {
    const events = [{ introduced: '0' }, { fixed: '0.1.0' }]
    const affected = [{ package: { ecosystem: 'Shop', name: project }, ranges: [{ type: 'SEMVER', events }] }]
    const record = { id: `SHOP-${project}`, published: '2026-07-01T00:00:00Z', affected }
    records.push(record)
    await storeAdvisories(home, records)
  }
  /** Exit codes of the gate, asked twice. */
  const ask = async (rule: string) => {
    const check = async () => (await run('gate', 'check', '--fail-on', rule)).code
    return [await check(), await check()]
  }
  return { addAdvisory, ask, run }
}

test.each(['affected>=low', 'fixable>=low', 'security-behind>=low'])(
  '%s needs an artifact with facts of its own kind, which Kubernetes is not',
  async (rule) => {
    const { addAdvisory, ask } = await openStore()
    expect(await ask(rule)).toEqual([6, 6])
    await addAdvisory('kubernetes')
    expect(await ask(rule)).toEqual([6, 6])
    await addAdvisory('nginx')
    expect(await ask(rule)).toEqual([0, 0])
  },
)

test('each rule says for how many artifacts the facts of its own kind are known', async () => {
  const { addAdvisory, run } = await openStore()
  await addAdvisory('nginx')
  const rules = ['security-behind>=low', 'affected>=low', 'eol']
  const { stdout } = await run('gate', 'check', ...rules.flatMap((rule) => ['--fail-on', rule]), '--json')
  expect(
    JSON.parse(stdout).rules.map((each: { notes: string[]; reason: string }) => each.notes[0] ?? each.reason),
  ).toEqual([
    'Security facts are known for 1 of 4 artifacts',
    'Advisories are known for 1 of 3 artifacts',
    'Ends of support are known for 2 of 3 artifacts',
  ])
})
