import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { newCommand } from '../../../program/command.ts'
import * as run from './run.ts'

export function createRetentionCommand(context: Context): Command {
  return newCommand('retention', 'What is older than the RELT_RETENTION_DAYS settings keep it', [
    'relt admin retention run',
  ]).addCommand(run.createCommand(context))
}
