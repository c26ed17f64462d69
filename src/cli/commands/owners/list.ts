import type { OwnerRule } from '../../../contract/ownership.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { titles } from '../../../views/titles.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'list',
  summary: 'List who owns which workloads',
  examples: ['relt owners list', 'relt owners list -o yaml > owners.yaml'],
  run: async (cli) => {
    const client = await cli.context.client()
    const found = await client.call('getOwners', {})
    const { owners, changed_at, changed_by } = found
    await show<OwnerRule>(cli, {
      body: found,
      rows: owners,
      columns: () => ruleColumns,
      empty: 'No owners are set. Set them: relt owners set owners.yaml',
      note: changed_at === null ? [] : [`Set by ${changed_by} at ${changed_at}. The last rule that matches counts.`],
    })
  },
})

const ruleColumns: Column<OwnerRule>[] = [
  { title: titles.owner, value: ({ owner }) => owner, min: 8 },
  { title: titles.contact, value: ({ contact }) => contact ?? null },
  { title: titles.cluster, value: ({ cluster }) => cluster ?? null },
  { title: titles.namespace, value: ({ namespace }) => namespace ?? null },
  { title: titles.workload, value: ({ workload }) => workload ?? null },
]
