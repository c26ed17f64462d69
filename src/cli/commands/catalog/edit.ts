import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { openCatalog, pickEach } from './command.ts'
import { projectInput, projectOptions, tokenFor } from './project-options.ts'

export default verb({
  name: 'edit',
  summary: 'Edit a project of your own; an empty value clears a field',
  examples: ['relt catalog edit shop-api --tag-pattern "api-v(.*)"', 'relt catalog edit shop-api --charts ""'],
  args: [['<project>', 'slug, name or id']],
  options: {
    '--name <name>': 'new name; the slug does not change',
    ...projectOptions,
  },
  run: async (cli, wanted, options) => {
    const { name } = options
    const changes = { ...projectInput(options), ...(name !== undefined && { name }) }
    const catalog = await openCatalog(cli)
    const [picked] = await pickEach(cli, catalog, [wanted])
    const project = await catalog.edit(picked!, changes, await tokenFor(cli, options))
    await sayDone(cli, `Changed ${project.slug}`, { success: true, project })
  },
})
