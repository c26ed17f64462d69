import type { RouteName } from '../../src/contract/routes.ts'
import { pages } from '../../src/html/pages/index.ts'
import { View } from '../../src/html/pages/view.ts'
import { createColor } from '../../src/render/terminal/color.ts'
import { plainText, type Said, type Tone } from '../../src/views/said.ts'
import type { ViewColumn } from '../../src/views/view.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { exampleFor } from '../helpers/examples/index.ts'

export const io = {
  isTerminal: true,
  width: 400,
  color: createColor(true),
  link: (text: string) => text,
} as never
export const viewer = { login: 'ada', isPro: true, nonce: undefined, isReadOnly: false, team: null, teams: [] }

/** What each medium makes of a tone; one that colours for itself writes something else. */
const onTerminal: Partial<Record<Tone, string>> = {
  ...{ good: '32', bad: '31', warn: '33', soft: '2', strong: '1' },
  ...{ critical: '1', high: '31', medium: '33', low: '34', info: '2', unknown: '33' },
}
const severities = ['critical', 'high', 'medium', 'low', 'info', 'unknown']
export const painted = (tone: Tone | undefined, text: string): string =>
  tone === undefined ? text : `\u001b[${onTerminal[tone]}m${tone === 'critical' ? '\u001b[31m' : ''}${text}`
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** Words may be marked apart. */
const tags = '(?:<[^>]*>)*'
export const spanned = (tone: Tone | undefined, text: string): RegExp =>
  tone === undefined
    ? new RegExp(escaped(text))
    : new RegExp(
        `class="${severities.includes(tone) ? `severity ${tone}` : tone}"[^>]*>${tags}${text.split(' ').map(escaped).join(`${tags} ${tags}`)}`,
      )

type Answers = Partial<Record<RouteName, unknown>>

/** A page with these answers. */
export async function toPage(path: string, answers: Answers, params = {}, query: Record<string, string> = {}, now = 0) {
  const page = pages.find((one) => one.path === path)!
  const view = new View({ path, query, viewer, now })
  return String(
    (await page.show({ params, query, view, call: (async (name: RouteName) => answers[name]) as never })).body,
  )
}

/** What a command prints on a terminal with these answers. */
export async function printed(argv: string[], answers: Answers, now: number): Promise<string> {
  const { stdout, stderr } = await runCli(argv, {
    home: temporaryFolder(),
    columns: 400,
    now,
    between: (client) => ({ ...client, call: (async (name: RouteName) => answers[name]) as never }),
  })
  return stdout + stderr
}

/** Each cell of a table, as a terminal has it; the minus of keyboards can be searched for. */
export function cellsOnTerminal<Row>(columns: ViewColumn<Row>[], rows: Row[]): string[] {
  return rows.flatMap((row) =>
    columns.flatMap(({ text, brief, tone, as }) => {
      const cell = (brief ?? text)(row)?.replace('\u2212', '-')
      return cell && as !== 'time' ? [painted(tone?.(row), cell)] : []
    }),
  )
}

/** The same on a page. */
export function cellsOnPage<Row>(columns: ViewColumn<Row>[], rows: Row[]): RegExp[] {
  return rows.flatMap((row) =>
    columns.flatMap(({ text, said, tone, reveals, as }) => {
      const cell = text(row)
      if (!cell || as === 'time') return []
      const pieces: Said = said?.(row) ?? [{ text: cell, reveals, tone: tone?.(row) }]
      return pieces.flatMap((piece) => (piece.tone && piece.as !== 'time' ? [spanned(piece.tone, piece.text)] : []))
    }),
  )
}

export const sentence = (said: Said): string => plainText(said)
const entities: Record<string, string> = { '&#39;': "'", '&quot;': '"', '&lt;': '<', '&gt;': '>', '&amp;': '&' }
export const withoutTags = (page: string): string =>
  page.replace(/<[^>]*>/g, '').replace(/&(?:#39|quot|lt|gt|amp);/g, (entity) => entities[entity]!)

/** The page of a project, with these answers about what runs of it. */
export const toProjectPage = (listClusterVersions: unknown, now = 0) => {
  const about = (['getProject', 'listReleases', 'getMySubscriptions'] as const).map((name) => [
    name,
    exampleFor(name).answer,
  ])
  return toPage('/projects/{id}', { ...Object.fromEntries(about), listClusterVersions }, { id: '1' }, {}, now)
}
