import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as add from './add.ts'
import * as list from './list.ts'
import * as pause from './pause.ts'
import * as remove from './remove.ts'
import * as resume from './resume.ts'
import * as set from './set.ts'
import * as setAccount from './set-account.ts'
import * as test from './test.ts'
import * as webhooks from './webhooks.ts'

const verbs = [list, add, remove, set, setAccount, webhooks, pause, resume, test]

export function createSubsCommand(context: Context): Command {
  const command = newNoun('subs', ['relt subs add argo-cd nginx', 'relt subs set argo-cd --email-frequency weekly'])
  for (const verb of verbs) command.addCommand(verb.createCommand(context))
  return command
}
