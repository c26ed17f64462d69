import { type ErrorCode, ReltError } from '../../../errors.ts'
import { paint } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { type Direction, type Ends, sourceFor, toTarget } from '../../../transfer/end.ts'
import { isComplete, type LeftOut, type SyncItem, syncKinds, type TransferResult } from '../../../transfer/result.ts'
import { andMore, count } from '../../../util/words.ts'
import { triedTone, undoneTone } from '../../../views/outcome.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { note, type Remark } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'

interface SyncView {
  result: TransferResult
  failure?: unknown
  ends: Ends
  directions: Direction[]
  isDry: boolean
}

/** Maximum names in a list on a terminal. */
const maxNames = 20

/** Throws the failure, or `incomplete` if some items were skipped. */
export async function showSync(cli: Cli, view: SyncView): Promise<void> {
  const { result, failure, ends, isDry } = view
  const isWhole = failure === undefined && isComplete(result)
  await show(cli, {
    body: { success: isWhole, dry_run: isDry, here: ends.here.name, there: ends.there.name, ...result },
    rows: result.copied,
    columns: () => [
      { title: 'Direction', value: ({ direction }) => direction },
      { title: titles.kind, value: ({ kind }) => kind },
      { title: titles.name, value: ({ name }) => name },
      { title: titles.id, value: ({ id }) => id ?? '' },
      { title: 'Copy', value: ({ new_id }) => new_id ?? '' },
    ],
    text: (io) => renderSync(io, view),
    remarks: formatRemarks(view),
  })
  if (failure !== undefined) throw withHint(failure)
  if (isWhole) return
  const { conflicts, left_out } = result
  const parts = [
    left_out.length > 0 && `${count(left_out.length, 'item')} left out`,
    conflicts.length > 0 && count(conflicts.length, 'conflict'),
  ]
  throw new ReltError('incomplete', `The two ends are not in sync: ${parts.filter(Boolean).join(', ')}.`)
}

/** `./old has no runs, so nothing was copied.` */
function nothingText(ends: SyncView['ends'], directions: SyncView['directions']): string {
  const [only, ...others] = directions
  if (!only || others.length > 0) return 'Neither end has runs, so nothing was copied.'
  return `${plain(ends[sourceFor(only)].name)} has no runs, so nothing was copied.`
}

function renderSync(io: Io, { result, ends, directions, isDry, failure }: SyncView): string {
  const { copied, matched, conflicts, left_out, deleted } = result
  const lines: string[] = []
  for (const direction of directions) {
    const items = copied.filter((item) => item.direction === direction)
    if (items.length === 0) continue
    lines.push(
      `${isDry ? 'Would copy' : 'Copied'} from ${ends[sourceFor(direction)].name} to ${ends[toTarget(direction)].name}:`,
    )
    lines.push(...formatSummary(items).map((line) => `  ${paint(io, triedTone(true))('+')} ${line}`))
  }
  const same = syncKinds.flatMap((kind) => (matched[kind] > 0 ? count(matched[kind], kind) : []))
  if (same.length > 0) lines.push(`Already at both ends: ${same.join(', ')}`)
  if (conflicts.length > 0) {
    lines.push(paint(io, undoneTone)('Conflicts, which were not touched:'))
    lines.push(
      ...upTo(conflicts, ({ kind, name, fields }) =>
        plain(`  ${kind} ${name}: ${fields.map(differenceOf).join('; ')}`),
      ),
    )
  }
  if (left_out.length > 0) lines.push(paint(io, undoneTone)('Left out:'), ...reasonsFor(left_out))
  if (deleted.length > 0)
    lines.push('Deleted since the last sync, and copied again with --restore:', ...reasonsFor(deleted))
  if (lines.length === 0 && failure === undefined) lines.push(nothingText(ends, directions))
  else if (failure === undefined && copied.length + conflicts.length + left_out.length === 0) {
    lines.push('Nothing to copy.')
  }
  return lines.map((line) => `${line}\n`).join('')
}

const differenceOf = ({ name, here, there }: TransferResult['conflicts'][number]['fields'][number]) =>
  `${name} ${shorten(here)} here, ${shorten(there)} there`

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text || '""')

/** Runs by number, other items by name. */
function formatSummary(items: SyncItem[]): string[] {
  const others = items.filter(({ kind }) => kind !== 'run')
  const runs = items.filter(({ kind }) => kind === 'run')
  const clusters = new Set(runs.map(({ cluster }) => cluster)).size
  return [
    ...upTo(others, ({ kind, name, change }) => plain(`${kind} ${name}${change === 'change' ? ' (labels)' : ''}`)),
    ...(runs.length > 0 ? [`${count(runs.length, 'run')} of ${count(clusters, 'cluster')}`] : []),
  ]
}

function reasonsFor(list: LeftOut[]): string[] {
  const byReason = Map.groupBy(list, ({ kind, name, reason }) => JSON.stringify([kind, name === null, reason]))
  return [...byReason.values()].flatMap((same) => {
    const [{ kind, name, reason }] = same as [LeftOut, ...LeftOut[]]
    if (name === null) return [plain(`  all ${kind}s: ${reason}`)]
    if (same.length === 1) return [plain(`  ${kind} ${name}: ${reason}`)]
    return [plain(`  ${count(same.length, kind)}: ${reason}`), ...upTo(same, (each) => plain(`    ${each.name}`))]
  })
}

function upTo<T>(list: T[], line: (item: T) => string): string[] {
  const lines = list.slice(0, maxNames).map(line)
  if (list.length > maxNames) lines.push(`  ${andMore(list.length - maxNames)}: add --json`)
  return lines
}

function formatRemarks({ ends, result }: SyncView): Remark[] {
  const secret = [ends.here, ends.there].flatMap(({ address, name, isPrivate }) => {
    if (address === 'local') return []
    if (!isPrivate) return note(`Settings of profiles and webhooks are left out: ${name} is reached without TLS.`)
    const over = name.startsWith('https:') ? 'TLS' : 'loopback'
    return note(`Settings of profiles and webhooks are sent over ${over} to ${name}.`)
  })
  const others =
    'A sync does not copy settings of accounts and teams, exceptions, owners, gate policies and verdicts, or settings of clusters.'
  return [...result.notes.map(note), ...secret, note(others)]
}

const passing: ErrorCode[] = ['unreachable', 'busy', 'rate_limited', 'cancelled', 'store_full']

function withHint(failure: unknown): unknown {
  if (!(failure instanceof ReltError) || !passing.includes(failure.code)) return failure
  const { code, message, params, origin } = failure
  return new ReltError(code, message, {
    hint: 'Run the same command again: it continues where this one ended.',
    ...(params && { params }),
    ...(origin && { origin }),
    cause: failure,
  })
}
