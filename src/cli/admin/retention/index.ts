import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newCommand } from '../../command.ts'
import * as run from './run.ts'

export function createRetentionCommand(context: Context): Command {
  return newCommand('retention', 'How long runs are kept: RELT_RETENTION_DAYS, else 90 days', [
    'relt admin retention run',
  ]).addCommand(run.createCommand(context))
}
