import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as login from './login.ts'
import * as logout from './logout.ts'
import * as status from './status.ts'
import * as switchTo from './switch.ts'
import * as token from './token.ts'

export function createAuthCommand(context: Context): Command {
  const command = newNoun('auth', [
    'relt auth login https://radar.example',
    'relt auth status',
    'relt auth switch local',
  ])
  for (const verb of [login, logout, status, switchTo, token]) command.addCommand(verb.createCommand(context))
  return command
}
