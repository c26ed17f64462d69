import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as adopt from './adopt.ts'
import * as audit from './audit.ts'
import * as backup from './backup.ts'
import { createKeysCommand } from './keys/index.ts'
import { createMasterKeyCommand } from './master-key/index.ts'
import * as reindex from './reindex.ts'
import * as restore from './restore.ts'
import { createRetentionCommand } from './retention/index.ts'
import { createStoreCommand } from './store/index.ts'
import { createTeamsCommand } from './teams/index.ts'
import { createUsersCommand } from './users/index.ts'
import * as verify from './verify.ts'

export function createAdminCommand(context: Context): Command {
  return newNoun('admin', [
    'relt admin users add ada --plan pro',
    'relt admin keys create ada --name "CI of the shop"',
    'relt admin audit --user ada',
  ])
    .option(
      '--data <folder>',
      'data folder or postgres:// address of the store (default: RELT_HOME, or the platform default)',
    )
    .addHelpText(
      'after',
      '\nThese commands use the store on this machine. If a server is selected, add --local or --data.',
    )
    .addCommand(createUsersCommand(context))
    .addCommand(createTeamsCommand(context))
    .addCommand(adopt.createCommand(context))
    .addCommand(createKeysCommand(context))
    .addCommand(audit.createCommand(context))
    .addCommand(createRetentionCommand(context))
    .addCommand(reindex.createCommand(context))
    .addCommand(backup.createCommand(context))
    .addCommand(restore.createCommand(context))
    .addCommand(verify.createCommand(context))
    .addCommand(createStoreCommand(context))
    .addCommand(createMasterKeyCommand(context))
}
