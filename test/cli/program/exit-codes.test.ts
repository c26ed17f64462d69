import { expect, test } from 'vitest'
import { exitCodes } from '../../../src/cli/program/exit-codes.ts'
import { errorTable } from '../../../src/errors.ts'
import { runCli, temporaryFolder } from '../../helpers/cli.ts'

test('every failure ends with a code of the table', () => {
  for (const { exit } of Object.values(errorTable)) expect(exitCodes).toHaveProperty(String(exit))
})

test('help lists them all', async () => {
  const help = (await runCli(['--help'], { home: temporaryFolder(), columns: 80 })).stdout
  for (const [code, meaning] of Object.entries(exitCodes)) {
    expect(help).toMatch(new RegExp(`(^  | · )${code} ${meaning.replace(/[()]/g, '\\$&')}( · |$)`, 'm'))
  }
})
