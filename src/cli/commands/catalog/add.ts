import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { openCatalog } from './command.ts'
import { projectInput, projectOptions, tokenFor } from './project-options.ts'

export default verb({
  name: 'add',
  summary: 'Add a project of your own',
  examples: [
    'relt catalog add "Shop API" --repo https://github.com/shop/api --image registry.shop.example/api',
    'relt catalog add Platform --charts oci://registry.shop.example/charts --chart platform',
    'pass github | relt catalog add Ledger --repo https://github.com/shop/ledger --secret-file -',
  ],
  args: [['<name>', 'name of the project']],
  options: {
    ...projectOptions,
  },
  run: async (cli, name, options) => {
    const catalog = await openCatalog(cli)
    const project = await catalog.add({ name, ...projectInput(options) }, await tokenFor(cli, options))
    await sayDone(cli, `Added ${project.slug}. Fetch its releases: relt catalog sync ${project.slug}`, {
      success: true,
      project,
    })
  },
})
