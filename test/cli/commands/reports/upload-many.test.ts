import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { smallReports } from '../../../helpers/small-store.ts'

function makeFiles(home: string, reports: Record<string, unknown>): (name: string) => string {
  const folder = join(home, 'reports')
  mkdirSync(folder)
  for (const [name, report] of Object.entries(reports)) {
    writeFileSync(join(folder, name), typeof report === 'string' ? report : JSON.stringify(report))
  }
  return (name) => join(folder, name)
}

test('several files are stored in the order of their scans, with a line each', async () => {
  const home = temporaryFolder()
  const [first, second, third] = smallReports
  const file = makeFiles(home, { 'a.json': third, 'b.json': first, 'c.json': second })
  const { code, stdout } = await runCli(
    ['reports', 'upload', file('a.json'), file('b.json'), file('c.json'), '-o', 'csv', '--columns', 'file,state,score'],
    { home },
  )
  expect({ code, stdout: stdout.replaceAll(`${file('')}/`, '').replaceAll(file(''), '') }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^file,state,score\nb\.json,stored,61\nc\.json,stored,72\.5\na\.json,stored,80\n$/),
  })
  const again = await runCli(['reports', 'upload', file('a.json'), file('c.json'), '--json'], { home })
  expect(JSON.parse(again.stdout)).toMatchObject({
    success: true,
    items: [{ state: 'already stored' }, { state: 'already stored' }],
  })
  // Each was compared with the one before it: what came back is regressed, not new.
  const compared = await runCli(['reports', 'compare', '--json'], { home })
  expect(JSON.parse(compared.stdout)).toMatchObject({ regressed_findings_count: 2, new_findings_count: 1 })
})

test('a file that fails does not stop the others, and the most urgent code is the exit code', async () => {
  const home = temporaryFolder()
  const [first, second] = smallReports
  const file = makeFiles(home, { 'a.json': second, 'bad.json': '{"a":1', 'c.json': first })
  const argv = ['reports', 'upload', file('a.json'), file('bad.json'), file('none.json'), file('c.json')]
  const { code, stdout, stderr } = await runCli([...argv, '--json'], { home })
  expect({ code, error: JSON.parse(stderr).error.message }).toEqual({ code: 2, error: '2 of 4 files failed.' })
  expect(JSON.parse(stdout).items).toMatchObject([
    { file: file('c.json'), state: 'stored' },
    { file: file('a.json'), state: 'stored' },
    { file: file('bad.json'), state: 'failed', error: { code: 'rest_invalid_json' } },
    {
      file: file('none.json'),
      state: 'failed',
      error: { message: `${file('none.json')} cannot be read: no such file.` },
    },
  ])
})

test('a gate judges each run', async () => {
  const home = temporaryFolder()
  const [bad, good] = smallReports
  const file = makeFiles(home, { 'bad.json': bad, 'good.json': good })
  const argv = ['reports', 'upload', file('good.json'), file('bad.json'), '--fail-on', 'score<70']
  const { code, stdout, stderr } = await runCli([...argv, '-o', 'csv', '--columns', 'score,gate'], { home })
  expect({ code, stdout, stderr }).toEqual({
    code: 5,
    stdout: 'score,gate\n61,failed\n72.5,passed\n',
    stderr: 'error: 1 of 2 files did not pass the gate.\n',
  })
})

test.each([
  [['a', 'b', '--compare'], '--compare is about one report, and several files are given.'],
  [['a', 'b', '--finished-at', '2026-01-01'], '--finished-at is about one report, and several files are given.'],
  [['a', '-'], 'Standard input cannot be one of several files.'],
])('upload %j is refused', async (argv, message) => {
  const { code, stderr } = await runCli(['reports', 'upload', ...argv], { home: temporaryFolder() })
  expect({ code, first: stderr.split('\n')[0] }).toEqual({ code: 2, first: `error: ${message}` })
})
