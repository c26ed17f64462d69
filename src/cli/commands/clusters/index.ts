import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as compare from './compare.ts'
import * as remove from './delete.ts'
import * as list from './list.ts'
import * as rename from './rename.ts'
import * as set from './set.ts'
import * as show from './show.ts'
import * as versions from './versions.ts'

export function createClustersCommand(context: Context): Command {
  const command = newNoun('clusters', ['relt clusters list --sort urgency', 'relt clusters versions argo-cd'])
  for (const verb of [list, show, compare, versions, rename, set, remove]) {
    command.addCommand(verb.createCommand(context))
  }
  return command
}
