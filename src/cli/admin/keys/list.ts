import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import type { UsedKey } from '../../../contract/account.ts'
import { newCommand } from '../../command.ts'
import type { Io } from '../../io.ts'
import { show } from '../../output.ts'
import type { Column } from '../../table.ts'
import { when } from '../../time.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export function createCommand(context: Context, run = runList): Command {
  return newCommand('list', 'Application passwords of an account, without the secrets', [
    'relt admin keys list ada',
    'relt admin keys list ada --json',
  ])
    .argument('<user>', 'login name')
    .action((user, _, command) => run(adminCliOf(context, command), user))
}

export async function runList(cli: AdminCli, login: string): Promise<void> {
  const keys = await (await cli.admin()).listKeys(login)
  await show(cli, { body: { keys }, rows: keys, columns, empty: `${login} has no keys.` })
}

const columns = ({ isTerminal, color }: Io, now: number): Column<UsedKey>[] => [
  { title: 'Uuid', value: (key) => key.uuid },
  { title: 'Name', value: (key) => key.name, style: (cell) => color.bold(cell), min: 8 },
  { title: 'Created', value: (key) => when(key.created, { isTerminal, now }) },
  { title: 'Last used', value: (key) => (key.last_used ? when(key.last_used, { isTerminal, now }) : 'never') },
]
