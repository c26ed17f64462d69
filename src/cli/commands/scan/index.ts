import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as collect from './collect.ts'
import * as doctor from './doctor.ts'
import * as inventory from './inventory.ts'
import * as run from './run.ts'

export function createScanCommand(context: Context): Command {
  const command = newNoun('scan', ['relt scan run --profile prod --compare', 'relt scan doctor'])
  for (const verb of [run, collect, inventory, doctor]) command.addCommand(verb.createCommand(context))
  return command
}
