import { expect, test } from 'vitest'
import { remove as deleteVerb } from '../../../../src/cli/commands/reports/noun.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { parse } from '../../../helpers/output.ts'
import { smallReports, uploadAll } from '../../../helpers/small-store.ts'

test.each([
  [['crun_x'], ['crun_x', {}]],
  [
    ['crun_x', '-y'],
    ['crun_x', { yes: true }],
  ],
  [
    ['--yes', 'crun_x'],
    ['crun_x', { yes: true }],
  ],
])('delete %j', async (argv, expected) => {
  expect(await parse(deleteVerb, argv)).toEqual(expected)
})

test('where nobody can be asked, --yes is demanded and nothing goes', async () => {
  const home = temporaryFolder()
  const [id] = await uploadAll(home, [smallReports[0]])
  expect(await runCli(['reports', 'delete', id!], { home })).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: This needs a confirmation, because it cannot be undone.\nhint: Add --yes to confirm.\n',
  })
  expect((await runCli(['reports', 'show', id!], { home })).code).toBe(0)
})

test('removes the run, and what came after it counts again from there', async () => {
  const home = temporaryFolder()
  const ids = await uploadAll(home, smallReports)
  const removed = await runCli(['reports', 'delete', ids[0]!, '--yes'], { home })
  expect(removed).toEqual({ code: 0, stdout: '', stderr: `✓ Deleted ${ids[0]}\n` })
  expect((await runCli(['reports', 'show', ids[0]!], { home })).code).toBe(3)
  const compared = await runCli(['reports', 'compare', '--json'], { home })
  // The node port was seen in the removed run only: without it, it is new.
  expect(JSON.parse(compared.stdout)).toMatchObject({ new_findings_count: 2, regressed_findings_count: 1 })
})

test('--json answers with success', async () => {
  const home = temporaryFolder()
  const [id] = await uploadAll(home, [smallReports[0]])
  expect(await runCli(['reports', 'delete', id!, '--yes', '--json'], { home })).toEqual({
    code: 0,
    stdout: '{"success":true}\n',
    stderr: '',
  })
})
