import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as check from './check.ts'
import * as history from './history.ts'
import * as install from './install.ts'
import * as list from './list.ts'
import * as manifests from './manifests.ts'
import * as next from './next.ts'
import * as pause from './pause.ts'
import * as resume from './resume.ts'
import * as run from './run.ts'
import * as status from './status.ts'
import * as trigger from './trigger.ts'
import * as uninstall from './uninstall.ts'

export function createAgentCommand(context: Context): Command {
  const command = newNoun('agent', ['relt agent check', 'relt agent next', 'relt agent run', 'relt agent history'])
  const verbs = [run, check, status, next, history, trigger, pause, resume, list, install, uninstall, manifests]
  for (const verb of verbs) {
    command.addCommand(verb.createCommand(context))
  }
  return command
}
