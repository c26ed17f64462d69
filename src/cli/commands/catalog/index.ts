import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as add from './add.ts'
import * as advisories from './advisories/index.ts'
import * as coverage from './coverage.ts'
import * as edit from './edit.ts'
import * as exportVerb from './export.ts'
import * as importVerb from './import.ts'
import * as publishRelease from './publish-release.ts'
import * as pushProjects from './push-projects.ts'
import * as remove from './remove.ts'
import * as signingKey from './signing-key.ts'
import * as status from './status.ts'
import * as sync from './sync.ts'

export function createCatalogCommand(context: Context): Command {
  const command = newNoun('catalog', [
    'relt catalog sync',
    'relt catalog status --failing',
    'relt catalog add "Shop API" --repo https://github.com/shop/api --image registry.shop.example/api',
  ])
    .option(
      '--data <folder>',
      'data folder or postgres:// address of the store (default: RELT_HOME, or the platform default)',
    )
    .addHelpText(
      'after',
      `
publish-release and push-projects use the selected server. The other commands use the store on this machine;
if a server is selected, add --local or --data.`,
    )
  for (const verb of [
    sync,
    status,
    coverage,
    advisories,
    add,
    edit,
    remove,
    exportVerb,
    importVerb,
    signingKey,
    publishRelease,
    pushProjects,
  ]) {
    command.addCommand(verb.createCommand(context))
  }
  return command
}
