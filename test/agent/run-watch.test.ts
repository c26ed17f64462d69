import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { smallReport } from '../helpers/small-report.ts'

test('a watched folder is created in the data folder, and nowhere else', async () => {
  const [home, elsewhere] = [temporaryFolder(), temporaryFolder()]
  const [inbox, mount] = [join(home, 'inbox'), join(elsewhere, 'mount')]
  const file = join(home, 'agent.yaml')
  writeFileSync(file, `jobs:\n  - {name: a, watch: {folder: ${inbox}}}\n  - {name: b, watch: {folder: ${mount}}}\n`)
  const { stderr } = await runCli(['agent', 'run', '--once'], { home })
  expect([existsSync(inbox), existsSync(mount)]).toEqual([true, false])
  expect(stderr).toContain(`The folder ${mount} cannot be read`)
  expect(stderr).not.toContain(inbox)
})

/** Watched folders, of which `none` is missing, and policies. */
function makeFiles(jobs: { watched: string; policy: string }[]) {
  const [home, folder] = [temporaryFolder(), temporaryFolder()]
  const at = (name: string) => join(folder, name)
  mkdirSync(at('inbox'))
  writeFileSync(at('relt.yaml'), 'gate: {fail_on: [score<1]}\n')
  writeFileSync(at('empty.yaml'), 'profiles: []\n')
  writeFileSync(at('bad.yaml'), 'gate: {fail_on: [new]}\n')
  writeFileSync(at('inbox/report.json'), smallReport('web'))
  const lines = jobs.map(
    ({ watched, policy }, i) => `  - {name: j${i}, watch: {folder: ${at(watched)}}, gate: ${at(policy)}}`,
  )
  writeFileSync(join(home, 'agent.yaml'), `jobs:\n${lines.join('\n')}\n`)
  const run = async (...argv: string[]) => {
    const { code, stderr } = await runCli(['agent', ...argv], { home })
    return { code, stderr: stderr.replaceAll(`${folder}/`, '') }
  }
  return { at, run }
}

test.each([
  ['inbox', 'none.yaml', 'The policy none.yaml cannot be read: no such file.'],
  ['inbox', 'empty.yaml', 'empty.yaml has no gate key.'],
  ['inbox', 'bad.yaml', '"new" is not a rule'],
  ['none', 'relt.yaml', 'The folder none cannot be read: no such file.'],
])('a job with the folder %s and the policy %s is refused by the check', async (watched, policy, message) => {
  const { run } = makeFiles([{ watched, policy }])
  expect(await run('check')).toEqual({ code: 2, stderr: expect.stringContaining(message) })
})

test('a single turn fails for each job that can judge nothing, and keeps its reports', async () => {
  const { at, run } = makeFiles([
    { watched: 'inbox', policy: 'none.yaml' },
    { watched: 'none', policy: 'relt.yaml' },
  ])
  const { code, stderr } = await run('run', '--once')
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('2 of 2 jobs failed') })
  expect(existsSync(at('inbox/report.json'))).toBe(true)
})
