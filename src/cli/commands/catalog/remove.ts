import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { newCommand } from '../../program/command.ts'
import { type CatalogCli, catalogCliOf, pickEach } from './command.ts'

export interface RemoveProjectOptions {
  yes?: boolean
}

export function createCommand(context: Context, run = runRemove): Command {
  return newCommand('remove', 'Remove a project of your own and its releases', [
    'relt catalog remove shop-api',
    'relt catalog remove shop-api --yes',
  ])
    .argument('<project>', 'slug, name or id')
    .option('-y, --yes', 'skip the confirmation prompt')
    .action((project, options, command) => run(catalogCliOf(context, command), project, options))
}

export async function runRemove(cli: CatalogCli, wanted: string, { yes }: RemoveProjectOptions): Promise<void> {
  const catalog = await cli.catalog()
  const [picked] = await pickEach(cli, catalog, [wanted])
  const { name, slug } = await catalog.find(picked!)
  if (!yes) {
    const { confirmOrRefuse } = await import('../../input/prompt.ts')
    await confirmOrRefuse(cli.io, `Permanently remove ${name} with its releases and subscriptions?`)
  }
  await catalog.remove(slug)
  await sayDone(cli, `Removed ${slug}`, { success: true })
}
