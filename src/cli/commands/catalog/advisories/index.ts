import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { newCommand } from '../../../program/command.ts'
import * as importVerb from './import.ts'
import * as list from './list.ts'
import * as show from './show.ts'

export function createCommand(context: Context): Command {
  const command = newCommand('advisories', 'List, show and import advisories with the versions that they affect', [
    'relt catalog advisories list prometheus',
    'relt catalog advisories show CVE-2026-1234',
    'relt catalog advisories import advisories/ --project shop-api',
  ])
  for (const verb of [list, show, importVerb]) command.addCommand(verb.createCommand(context))
  return command
}
