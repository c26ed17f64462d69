import type { ListedConfig, ReceivedClusterConfig } from '../../../contract/received/cluster-config.ts'
import { ReltError } from '../../../errors.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { when } from '../../../util/ago.ts'
import { titles } from '../../../views/titles.ts'
import { confirm, yesOption } from '../../input/prompt.ts'
import type { Io } from '../../output/io.ts'
import { member, show } from '../../output/output.ts'
import { pageOptions, pageQuery } from '../../output/page.ts'
import { sayDone } from '../../output/say.ts'
import { noun, verb } from '../../program/verb.ts'
import { changeOptions, toChange } from './change.ts'
import command from './command.ts'
import file from './file.ts'
import { findProfile, readProfile, requireFreeName } from './find.ts'
import { formatRemarks, warn } from './remarks.ts'

export const list = verb({
  name: 'list',
  summary: 'List your scan profiles',
  examples: ['relt profiles list', 'relt profiles list --json'],
  options: {
    ...pageOptions,
    '--settings': 'include notes and settings in the JSON and YAML output',
  },
  run: async (cli, options) => {
    const include = options.settings ? { include: 'settings' as const } : {}
    const found = await cli.call('listConfigs', { query: { ...pageQuery(options), ...include } })
    const empty = 'No profiles yet. Create one: relt profiles create NAME'
    await show(cli, { body: found, rows: found.items, page: found, columns, empty })
  },
})

const columns = ({ color, isTerminal }: Io, now: number): Column<ListedConfig>[] => [
  { title: titles.id, value: member('config_id') },
  { title: titles.name, value: member('name'), style: color.bold, min: 10 },
  { title: titles.cluster, value: member('cluster_name'), min: 10 },
  { title: 'Provider', value: member('provider') },
  { title: titles.changed, value: (profile) => when(profile.updated_at, { isTerminal, now }), min: 9, from: 90 },
]

export const showProfile = verb({
  name: 'show',
  summary: 'Show a scan profile as YAML',
  examples: ['relt profiles show shop-prod', 'relt profiles show ccfg_0123456789abcdef0123'],
  args: [['[profile]', 'name or id']],
  run: async (cli, idOrName) => {
    const { config_id } = await findProfile(cli, idOrName)
    const profile = await cli.call('getConfig', { params: { config_id } })
    await show(cli, {
      body: profile,
      verbatim: await renderProfile(config_id, profile, await formatRemarks(cli, profile.settings)),
    })
  },
})

async function renderProfile(config_id: string, profile: ReceivedClusterConfig, remarks: string[]) {
  const { writeDocument } = await import('./document.ts')
  const comments = [`${config_id}, changed ${profile.updated_at ?? '-'}`, ...remarks]
  return `${comments.map((comment) => `# ${comment}\n`).join('')}${writeDocument(profile)}`
}

export const create = verb({
  name: 'create',
  summary: 'Create a scan profile',
  examples: [
    'relt profiles create shop-prod --provider aks --set radar.environment=prod output.htmlReport=true',
    'relt profiles create shop-prod --set "excluded_namespaces=[kube-system, argocd]"',
    'relt profiles create --from profile.yaml',
  ],
  args: [['[name]', 'name of the profile']],
  options: changeOptions,
  run: async (cli, typed, options) => {
    const given = await toChange(cli, options)
    const name = typed ?? given.name
    const body =
      name === undefined ? await (await import('./ask-profile.ts')).askProfile(cli, given) : { ...given, name }
    await requireFreeName(cli, body.name)
    const answer = await cli.call('createConfig', { body })
    await sayDone(
      cli,
      `Created the profile ${answer.name ?? body.name}${answer.config_id ? ` (${answer.config_id})` : ''}`,
      answer,
    )
    warn(cli, await formatRemarks(cli, answer.settings ?? body.settings))
  },
})

export const edit = verb({
  name: 'edit',
  summary: 'Edit a scan profile',
  examples: [
    'relt profiles edit shop-prod --set radar.environment=prod excluded_checks=[SEC014]',
    'relt profiles edit shop-prod --from profile.yaml',
  ],
  args: [['[profile]', 'name or id']],
  options: {
    '--name <name>': 'new name',
    ...changeOptions,
  },
  run: async (cli, idOrName, options) => {
    if (Object.keys(options).length === 0) {
      throw new ReltError('usage', 'Nothing to change.', { hint: 'Add --set PATH=VALUE or --from FILE.' })
    }
    const profile = await readProfile(cli, idOrName)
    const change = await toChange(cli, options, profile.settings)
    const body = { ...change, ...(options.name !== undefined && { name: options.name }) }
    if (body.name !== undefined) await requireFreeName(cli, body.name, profile.config_id)
    const answer = await cli.call('updateConfig', { params: { config_id: profile.config_id }, body })
    await sayDone(cli, `Changed the profile ${answer.name ?? profile.name}`, answer)
    warn(cli, await formatRemarks(cli, answer.settings ?? body.settings ?? profile.settings))
  },
})

export const remove = verb({
  name: 'delete',
  summary: 'Delete a scan profile',
  examples: ['relt profiles delete shop-prod', 'relt profiles delete shop-prod --yes'],
  args: [['[profile]', 'name or id']],
  options: yesOption,
  run: async (cli, idOrName, { yes }) => {
    const { config_id, name, cluster_name } = await findProfile(cli, idOrName)
    await confirm(cli, { yes }, `Permanently delete the profile ${name} of cluster ${cluster_name ?? '-'}?`)
    await sayDone(
      cli,
      `Deleted the profile ${name} (${config_id})`,
      await cli.call('deleteConfig', { params: { config_id } }),
    )
  },
})

export default noun({
  examples: ['relt profiles create shop-prod', 'relt profiles command shop-prod --shell bash'],
  verbs: [list, showProfile, create, edit, remove, command, file],
})
