import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { newCommand } from '../../../program/command.ts'
import * as add from './add.ts'
import * as disable from './disable.ts'
import * as enable from './enable.ts'
import * as list from './list.ts'
import * as remove from './remove.ts'
import * as setEmail from './set-email.ts'
import * as setPassword from './set-password.ts'
import * as setPlan from './set-plan.ts'
import * as setRole from './set-role.ts'
import * as show from './show.ts'

export function createUsersCommand(context: Context): Command {
  const command = newCommand('users', 'Manage users of a store', [
    'relt admin users add ada --plan pro',
    'relt admin users list',
  ])
  for (const verb of [add, list, show, setPlan, setRole, setEmail, setPassword, disable, enable, remove]) {
    command.addCommand(verb.createCommand(context))
  }
  return command
}
