import { paint } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { when } from '../../../util/ago.ts'
import { count, number } from '../../../util/words.ts'
import type { ProjectReleases } from '../../../views/feed-projects.ts'
import { securityText, securityTone, securityWord } from '../../../views/release.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'

const worstText = ({ newest, worst }: ProjectReleases): string =>
  securityText(worst) === null || worst === newest ? securityWord(newest) : `${securityWord(worst)} (${worst.version})`

export const projectColumns = ({ color, isTerminal, ...io }: Io, now: number): Column<ProjectReleases>[] => [
  { title: 'Project', value: ({ newest }) => newest.name, style: (cell) => color.bold(cell), min: 14, cut: true },
  { title: 'Version', value: ({ newest }) => newest.version, min: 12, cut: true },
  { title: 'Type', value: ({ newest }) => newest.type, from: 60 },
  { title: 'Releases', value: ({ releases }) => number(releases), align: 'right' },
  { title: 'Published', value: ({ newest }) => when(newest.published_at, { isTerminal, now }), from: 60 },
  {
    title: titles.security,
    value: worstText,
    style: (cell, { worst }) => paint({ color, ...io }, securityTone(worst))(cell),
    min: 12,
    cut: true,
  },
]

export const affectsColumn: Column<ProjectReleases> = {
  title: 'Affects',
  value: ({ widest: { affects } }) =>
    affects ? `${count(affects.clusters, 'cluster')}${affects.is_certain === false ? ' ?' : ''}` : '',
}
