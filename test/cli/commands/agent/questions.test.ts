import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'

const inbox = (home: string) => `  - { name: inbox, watch: { folder: ${JSON.stringify(join(home, 'in'))} } }\n`
const nightly = () => '  - { name: nightly, every: 1d, profile: prod }\n'

function makeAgent(jobs: (home: string) => string) {
  const home = temporaryFolder()
  const configure = (yaml: string) => writeFileSync(join(home, 'agent.yaml'), `jobs:\n${yaml}`)
  configure(jobs(home))
  return { home, configure, run: (argv: string) => runCli(argv.split(' '), { home }) }
}

test('a triggered job waits for an agent, and says so', async () => {
  const { run } = makeAgent(nightly)
  const triggered = await run('agent trigger nightly')
  expect(triggered).toMatchObject({ code: 0, stderr: expect.stringContaining('Triggered nightly') })
  const { jobs, running } = JSON.parse((await run('agent status --json')).stdout)
  expect({ jobs, running }).toMatchObject({ jobs: [{ job: 'nightly', state: 'waiting', last: null }], running: false })
  expect((await run('agent status')).stdout).toMatch(/^nightly +waiting +never/m)
})

test('the history of a job outlives it, and a job that never was is named with those that are', async () => {
  const { home, configure, run } = makeAgent(inbox)
  mkdirSync(join(home, 'in'))
  writeFileSync(join(home, 'in', 'bad.json'), '{}')
  await run('agent run --once')
  configure(nightly())
  expect(JSON.parse((await run('agent history --job inbox --json')).stdout).items).toHaveLength(1)
  expect((await run('agent history --job nightly')).stderr).toBe('The job nightly has not been due yet.\n')
  expect((await run('agent history --job never')).stderr).toBe(
    'No occurrence of a job never is stored. Jobs of agent.yaml: nightly.\n',
  )
})

test('a refused file is named once, as `relt reports upload` names it', async () => {
  const files = {
    'empty.json': '{}',
    'list.json': '[]',
    'strange.json': '{"checks": 3}',
    'broken.json': '{"checks": }',
    'packed.json': Buffer.from('1f8b0800000000000003ff7d', 'hex'),
  }
  const { home, run } = makeAgent(inbox)
  mkdirSync(join(home, 'in'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, 'in', name), text)
  await run('agent run --once')
  const { items } = JSON.parse((await run('agent history --json')).stdout)
  expect(items).toHaveLength(Object.keys(files).length)
  for (const [name, text] of Object.entries(files)) {
    const file = join(home, name)
    writeFileSync(file, text)
    const refused = JSON.parse((await run(`reports upload ${file} --json`)).stderr).error
    const [item, ...others] = items.filter(({ detail }: { detail: string }) => detail.includes(name))
    expect(others).toEqual([])
    expect(item).toMatchObject({ job: 'inbox', state: 'failed', exit_code: 2 })
    expect(item.detail).toContain(refused.message.replace(file, name))
    expect(item.detail.split(name)).toHaveLength(2)
  }
})
