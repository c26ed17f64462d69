import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as list from './list.ts'
import * as open from './open.ts'
import * as popular from './popular.ts'
import * as recent from './recent.ts'
import * as releases from './releases.ts'
import * as search from './search.ts'
import * as show from './show.ts'

export function createProjectsCommand(context: Context): Command {
  const command = newNoun('projects', ['relt projects search argo', 'relt projects releases argo-cd --type helm'])
  for (const verb of [search, list, show, releases, popular, recent, open]) {
    command.addCommand(verb.createCommand(context))
  }
  return command
}
