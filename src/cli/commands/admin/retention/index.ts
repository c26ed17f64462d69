import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { newCommand } from '../../../program/command.ts'
import * as run from './run.ts'

export function createRetentionCommand(context: Context): Command {
  return newCommand('retention', 'Apply the RELT_RETENTION_DAYS settings', ['relt admin retention run']).addCommand(
    run.createCommand(context),
  )
}
