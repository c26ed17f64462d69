import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { newCommand } from '../command.ts'
import * as audit from './audit.ts'
import { createKeysCommand } from './keys/index.ts'
import * as reindex from './reindex.ts'
import { createRetentionCommand } from './retention/index.ts'
import { createUsersCommand } from './users/index.ts'

export function createAdminCommand(context: Context): Command {
  return newCommand('admin', 'Accounts, keys, audit and retention of a store', [
    'relt admin users add ada --plan pro',
    'relt admin keys create ada --name "CI of the shop"',
    'relt admin audit --user ada',
  ])
    .option('--data <folder>', 'folder of the store (default: RELT_HOME, or the usual place)')
    .addHelpText('after', '\nThese work on the store of this machine: when a server is chosen, add --local or --data.')
    .addCommand(createUsersCommand(context))
    .addCommand(createKeysCommand(context))
    .addCommand(audit.createCommand(context))
    .addCommand(createRetentionCommand(context))
    .addCommand(reindex.createCommand(context))
}
