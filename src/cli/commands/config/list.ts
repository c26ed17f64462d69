import type { Command } from 'commander'
import { readConfig } from '../../../config/config-file.ts'
import type { Context } from '../../../context.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { type Key, keysOf } from './keys.ts'

export function createCommand(context: Context, run = runList): Command {
  return newCommand('list', 'List all settings', ['relt config list', 'relt config list --json']).action(
    (_options, command) => run(cliOf(context, command)),
  )
}

export async function runList(cli: Cli): Promise<void> {
  const keys = keysOf(readConfig(cli.context.env))
  await show<Key>(cli, {
    body: {
      settings: keys.map(({ key, value, usually, summary }) => ({
        key,
        value: value ?? null,
        default: usually,
        summary,
      })),
    },
    rows: keys,
    columns: (io) => [
      { title: 'Key', value: ({ key }) => key },
      {
        title: 'Value',
        value: ({ value, usually }) => String(value ?? usually),
        style: (cell, { value }) => (value === undefined ? io.color.dim(cell) : cell),
        min: 10,
      },
      { title: 'Description', value: ({ summary }) => summary, min: 20 },
    ],
  })
}
