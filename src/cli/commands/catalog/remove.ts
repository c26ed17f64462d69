import { confirm, yesOption } from '../../input/prompt.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { openCatalog, pickEach } from './command.ts'

export default verb({
  name: 'remove',
  summary: 'Remove a project of your own and its releases',
  examples: ['relt catalog remove shop-api', 'relt catalog remove shop-api --yes'],
  args: [['<project>', 'slug, name or id']],
  options: yesOption,
  run: async (cli, wanted, { yes }) => {
    const catalog = await openCatalog(cli)
    const [picked] = await pickEach(cli, catalog, [wanted])
    const { name, slug } = await catalog.find(picked!)
    await confirm(cli, { yes }, `Permanently remove ${name} with its releases and subscriptions?`)
    await catalog.remove(slug)
    await sayDone(cli, `Removed ${slug}`, { success: true })
  },
})
