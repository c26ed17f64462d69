import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as attach from './attach.ts'
import * as create from './create.ts'
import * as remove from './delete.ts'
import * as detach from './detach.ts'
import * as edit from './edit.ts'
import * as list from './list.ts'

export function createLabelsCommand(context: Context): Command {
  const command = newNoun('labels', ['relt labels create edge --color 1f6feb', 'relt labels attach edge nginx istio'])
  for (const verb of [list, create, edit, remove, attach, detach]) command.addCommand(verb.createCommand(context))
  return command
}
