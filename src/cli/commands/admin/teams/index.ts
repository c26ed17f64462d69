import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { newCommand } from '../../../program/command.ts'
import * as addMember from './add-member.ts'
import * as create from './create.ts'
import * as deleteTeam from './delete.ts'
import * as list from './list.ts'
import * as removeMember from './remove-member.ts'
import * as rename from './rename.ts'
import * as setRole from './set-role.ts'
import * as show from './show.ts'

export function createTeamsCommand(context: Context): Command {
  const command = newCommand('teams', 'Manage teams, which share clusters and scan profiles', [
    'relt admin teams create platform --owner ada',
    'relt admin teams add-member platform grace --role viewer',
  ])
  for (const verb of [create, list, show, addMember, removeMember, setRole, rename, deleteTeam]) {
    command.addCommand(verb.createCommand(context))
  }
  return command
}
