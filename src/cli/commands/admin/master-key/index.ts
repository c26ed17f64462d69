import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { newCommand } from '../../../program/command.ts'
import * as recoveryKit from './recovery-kit.ts'
import * as reencrypt from './reencrypt.ts'
import * as rotate from './rotate.ts'
import * as status from './status.ts'

export function createMasterKeyCommand(context: Context): Command {
  return newCommand('master-key', 'Manage the master key and the data keys', [
    'relt admin master-key status',
    'relt admin master-key rotate',
    'relt admin master-key recovery-kit --recipient age1…',
  ])
    .addCommand(status.createCommand(context))
    .addCommand(rotate.createCommand(context))
    .addCommand(reencrypt.createCommand(context))
    .addCommand(recoveryKit.createCommand(context))
}
