import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as activity from './activity.ts'
import * as logs from './logs.ts'
import * as show from './show.ts'

export function createDashboardCommand(context: Context): Command {
  return newNoun('dashboard', ['relt dashboard', 'relt dashboard activity --days 30'])
    .addCommand(show.createCommand(context), { isDefault: true })
    .addCommand(activity.createCommand(context))
    .addCommand(logs.createCommand(context))
}
