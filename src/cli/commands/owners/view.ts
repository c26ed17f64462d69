import type { OwnerRule } from '../../../contract/ownership.ts'
import type { Column } from '../../../render/terminal/table.ts'

export const ruleColumns: Column<OwnerRule>[] = [
  { title: 'Owner', value: ({ owner }) => owner, min: 8 },
  { title: 'Contact', value: ({ contact }) => contact ?? null },
  { title: 'Cluster', value: ({ cluster }) => cluster ?? null },
  { title: 'Namespace', value: ({ namespace }) => namespace ?? null },
  { title: 'Workload', value: ({ workload }) => workload ?? null },
]
