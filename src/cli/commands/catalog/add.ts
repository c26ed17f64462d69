import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { newCommand } from '../../program/command.ts'
import { type CatalogCli, catalogCliOf } from './command.ts'
import { addProjectOptions, type ProjectOptions, projectInput, tokenOf } from './project-options.ts'

export function createCommand(context: Context, run = runAdd): Command {
  const command = newCommand('add', 'Add a project of your own', [
    'relt catalog add "Shop API" --repo https://github.com/shop/api --image registry.shop.example/api',
    'relt catalog add Platform --charts oci://registry.shop.example/charts --chart platform',
    'pass github | relt catalog add Ledger --repo https://github.com/shop/ledger --secret-file -',
  ]).argument('<name>', 'name of the project')
  return addProjectOptions(command).action((name, options, command) =>
    run(catalogCliOf(context, command), name, options),
  )
}

export async function runAdd(cli: CatalogCli, name: string, options: ProjectOptions): Promise<void> {
  const catalog = await cli.catalog()
  const project = await catalog.add({ name, ...projectInput(options) }, await tokenOf(cli, options))
  await sayDone(cli, `Added ${project.slug}. Fetch its releases: relt catalog sync ${project.slug}`, {
    success: true,
    project,
  })
}
