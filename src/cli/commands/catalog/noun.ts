import { confirm, yesOption } from '../../input/prompt.ts'
import { sayDone } from '../../output/say.ts'
import { noun, verb } from '../../program/verb.ts'
import advisories from './advisories/noun.ts'
import { openCatalog, pickEach } from './command.ts'
import importVerb from './import.ts'
import { projectInput, projectOptions, tokenFor } from './project-options.ts'
import pull from './pull.ts'
import status from './status.ts'
import sync from './sync.ts'

export const add = verb({
  name: 'add',
  summary: 'Add a project of your own',
  examples: [
    'relt catalog add "Shop API" --repo https://github.com/shop/api --image registry.shop.example/api',
    'relt catalog add Platform --charts oci://registry.shop.example/charts --chart platform',
    'pass github | relt catalog add Ledger --repo https://github.com/shop/ledger --secret-file -',
  ],
  args: [['<name>', 'name of the project']],
  options: projectOptions,
  run: async (cli, name, options) => {
    const catalog = await openCatalog(cli)
    const project = await catalog.add({ name, ...projectInput(options) }, await tokenFor(cli, options))
    await sayDone(cli, `Added ${project.slug}. Fetch its releases: relt catalog sync ${project.slug}`, {
      success: true,
      project,
    })
  },
})

const edit = verb({
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

const remove = verb({
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

const exportVerb = verb({
  name: 'export',
  summary: 'Export the catalog to a file for offline machines',
  examples: [
    'relt catalog export catalog.relt',
    'relt catalog export catalog.relt --sign',
    'relt catalog export /media/usb/catalog.relt --data /var/lib/relt',
  ],
  args: [['<file>', 'file to write; an existing file is replaced']],
  options: {
    '--sign': 'sign the file with the key of this store and print its public key',
  },
  run: async (cli, file, { sign }) => {
    const { bytes, publicKey } = await (await openCatalog(cli)).exportTo(file, { sign: sign === true })
    const signed = publicKey === undefined ? '' : `, signed by ${publicKey}`
    const body = { success: true, file, bytes, ...(publicKey !== undefined && { public_key: publicKey }) }
    await sayDone(cli, `Wrote ${file} (${Math.ceil(bytes / 1024)} KB)${signed}`, body)
  },
})

const restore = verb({
  name: 'restore',
  summary: 'Bring back bundled projects that a list of projects removed',
  examples: ['relt catalog restore', 'relt catalog restore --data /var/lib/relt'],
  epilog: '`POST /sync-projects` with `cleanup_removed` removes projects. Their subscriptions do not come back.',
  run: async (cli) => {
    await (await openCatalog(cli)).restore()
    await sayDone(cli, 'Restored the bundled projects', { success: true })
  },
})

export default noun({
  examples: [
    'relt catalog sync',
    'relt catalog status --failing',
    'relt catalog add "Shop API" --repo https://github.com/shop/api --image registry.shop.example/api',
  ],
  options: {
    '--data <folder>': 'data folder or postgres:// address of the store (default: RELT_HOME, or the platform default)',
  },
  epilog: 'These commands use the store on this machine. If a server is selected, add --local or --data.',
  verbs: [sync, pull, status, advisories, add, edit, remove, restore, exportVerb, importVerb],
})
