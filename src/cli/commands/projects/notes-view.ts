import type { ReceivedReleaseItem } from '../../../contract/received/catalog.ts'
import { paint } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { when } from '../../../util/ago.ts'
import { securityText, securityTone, securityWord } from '../../../views/release.ts'
import type { Io } from '../../output/io.ts'
import { readable } from '../../output/readable.ts'

/** Renders each release with its notes as text. */
export function renderNotes(io: Io, releases: ReceivedReleaseItem[], now: number) {
  return releases.map((release) => renderRelease(io, release, now)).join('\n')
}

function renderRelease(io: Io, release: ReceivedReleaseItem, now: number) {
  const { color } = io
  const { version, chart_name, url, published_at } = release
  const published = when(published_at, { isTerminal: io.isTerminal, now }) ?? '-'
  const title = color.bold(plain(chart_name === null ? version : `${chart_name} ${version}`))
  const security = securityText(release) ? paint(io, securityTone(release))(`  security: ${securityWord(release)}`) : ''
  const notes = readable(release.release_notes ?? '')
  return [
    `${title} ${color.dim(`(${plain(published)})`)}${security}\n`,
    url ? `${color.dim(plain(url))}\n` : '',
    `\n${(notes || 'No notes.').replace(/^(?=.)/gm, '  ')}\n`,
  ].join('')
}
