import type { ListedConfig } from '../../../contract/received/cluster-config.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { when } from '../../../util/ago.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { pageOptions, pageQuery } from '../../output/page.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'list',
  summary: 'List your scan profiles',
  examples: ['relt profiles list', 'relt profiles list --json'],
  options: {
    ...pageOptions,
    '--settings': 'include notes and settings in the JSON and YAML output',
  },
  run: async (cli, options) => {
    const client = await cli.context.client()
    const include = options.settings ? { include: 'settings' as const } : {}
    const found = await client.call('listConfigs', { query: { ...pageQuery(options), ...include } })
    const empty = 'No profiles yet. Create them from your reports: relt profiles bootstrap --all'
    await show(cli, { body: found, rows: found.items, page: found, columns, empty })
  },
})

const columns = ({ color, isTerminal }: Io, now: number): Column<ListedConfig>[] => [
  { title: titles.id, value: (profile) => profile.config_id },
  { title: titles.name, value: (profile) => profile.name, style: (cell) => color.bold(cell), min: 10 },
  { title: titles.cluster, value: (profile) => profile.cluster_name, min: 10 },
  { title: 'Provider', value: (profile) => profile.provider },
  { title: titles.changed, value: (profile) => when(profile.updated_at, { isTerminal, now }), min: 9, from: 90 },
]
