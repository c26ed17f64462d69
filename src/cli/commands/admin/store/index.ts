import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { newCommand } from '../../../program/command.ts'
import * as copy from './copy.ts'

export function createStoreCommand(context: Context): Command {
  return newCommand('store', 'Copy whole stores', [
    'relt admin store copy --from /var/lib/relt --to postgres://relt@db.example/relt',
  ]).addCommand(copy.createCommand(context))
}
