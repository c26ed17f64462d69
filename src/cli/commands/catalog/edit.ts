import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { newCommand } from '../../program/command.ts'
import { type CatalogCli, catalogCliOf, pickEach } from './command.ts'
import { addProjectOptions, type ProjectOptions, projectInput, tokenOf } from './project-options.ts'

export interface EditProjectOptions extends ProjectOptions {
  name?: string
}

export function createCommand(context: Context, run = runEdit): Command {
  const command = newCommand('edit', 'Edit a project of your own; an empty value clears a field', [
    'relt catalog edit shop-api --tag-pattern "api-v(.*)"',
    'relt catalog edit shop-api --charts ""',
  ])
    .argument('<project>', 'slug, name or id')
    .option('--name <name>', 'new name; the slug does not change')
  return addProjectOptions(command).action((project, options, command) =>
    run(catalogCliOf(context, command), project, options),
  )
}

export async function runEdit(cli: CatalogCli, wanted: string, options: EditProjectOptions): Promise<void> {
  const { name } = options
  const changes = { ...projectInput(options), ...(name !== undefined && { name }) }
  const catalog = await cli.catalog()
  const [picked] = await pickEach(cli, catalog, [wanted])
  const project = await catalog.edit(picked!, changes, await tokenOf(cli, options))
  await sayDone(cli, `Changed ${project.slug}`, { success: true, project })
}
