import type { ReceivedProject } from '../../../contract/received/catalog.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { when } from '../../../util/ago.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { member } from '../../output/output.ts'

export const projectColumns = ({ color, isTerminal }: Io, now: number): Column<ReceivedProject>[] => [
  { title: titles.id, value: member('id'), align: 'right' },
  {
    title: titles.name,
    value: member('name'),
    style: color.bold,
    min: 14,
  },
  { title: titles.latest, value: member('latest_version'), min: 8 },
  {
    title: titles.published,
    value: (project) => (project.latest_published_at ? when(project.latest_published_at, { isTerminal, now }) : null),
    min: 9,
  },
  { title: titles.status, value: member('cncf_status'), from: 100 },
  {
    title: titles.description,
    value: member('description'),
    style: color.dim,
    min: 16,
    from: 70,
    cut: true,
  },
]
