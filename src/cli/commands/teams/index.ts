import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as add from './add.ts'
import * as list from './list.ts'
import * as members from './members.ts'
import * as remove from './remove.ts'
import * as setRole from './set-role.ts'
import * as show from './show.ts'

export function createTeamsCommand(context: Context): Command {
  const command = newNoun('teams', ['relt teams list', 'relt teams members', 'relt teams add grace --role member'])
  for (const verb of [list, show, members, add, setRole, remove]) command.addCommand(verb.createCommand(context))
  return command
}
