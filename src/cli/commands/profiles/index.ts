import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as bootstrap from './bootstrap.ts'
import * as command from './command.ts'
import * as create from './create.ts'
import * as remove from './delete.ts'
import * as edit from './edit.ts'
import * as file from './file.ts'
import * as list from './list.ts'
import * as show from './show.ts'

export function createProfilesCommand(context: Context): Command {
  const noun = newNoun('profiles', ['relt profiles bootstrap --all', 'relt profiles command shop-prod --shell bash'])
  for (const verb of [list, show, create, edit, remove, command, file, bootstrap]) {
    noun.addCommand(verb.createCommand(context))
  }
  return noun
}
