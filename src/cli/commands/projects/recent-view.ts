import type { ReceivedFeedItem } from '../../../contract/received/subscription.ts'
import { paint } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { when } from '../../../util/ago.ts'
import { securityTone, securityWord } from '../../../views/release.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { member } from '../../output/output.ts'

export const securityColumn = (io: Io): Column<Parameters<typeof securityWord>[0]> => ({
  title: titles.security,
  value: securityWord,
  style: (cell, release) => paint(io, securityTone(release))(cell),
})

/** Columns that several release lists share. */
export const releaseColumns = ({ color, isTerminal }: Io, now: number): Column<ReceivedFeedItem>[] => [
  { title: titles.project, value: member('name'), style: color.bold, min: 14 },
  { title: titles.version, value: member('version'), min: 12 },
  { title: titles.type, value: member('type') },
  { title: titles.published, value: (release) => when(release.published_at, { isTerminal, now }), min: 10 },
]
