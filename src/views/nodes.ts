import type { NodeComponent, NodePart, UnreadSource } from '../contract/node.ts'
import { supportTitle } from '../lifecycle/support-text.ts'
import type { UnixSeconds } from '../util/time.ts'
import { count, withMore } from '../util/words.ts'
import { named, plainText, safe, say } from './said.ts'
import { supportSaid, supportTone } from './support.ts'
import { columnsOf, type Note, noteIn } from './view.ts'

/** The part of a freshness answer about nodes. */
export interface NodeAnswer {
  nodes?: NodeComponent[] | undefined
  unread?: UnreadSource[] | undefined
}

const partTitles: Record<NodePart, string> = {
  os: 'Operating system',
  runtime: 'Container runtime',
  kubelet: 'Kubelet',
}

const skewTones = { ok: undefined, too_old: 'bad', too_new: 'bad', unknown: 'warn' } as const
const skewWords = { ok: 'ok', too_old: 'too old', too_new: 'too new', unknown: 'unknown' } as const

/** Columns of node components. */
export function nodeColumns(now: UnixSeconds) {
  return columnsOf<NodeComponent>()({
    part: { reveals: 'safe', text: ({ part }) => partTitles[part], data: ({ part }) => part },
    runs: { reveals: 'version', min: 16, text: ({ display_name }) => display_name },
    nodes: {
      title: 'Nodes',
      reveals: 'safe',
      align: 'right',
      text: ({ nodes_count }) => String(nodes_count),
      data: ({ nodes_count }) => nodes_count,
    },
    support: {
      reveals: 'safe',
      min: 12,
      text: (row) => plainText(nodeSupportSaid(row, now)),
      said: (row) => nodeSupportSaid(row, now),
      data: ({ eol }) => (eol ? (eol.date ?? (eol.is_eol ? 'ended' : 'supported')) : null),
    },
    skew: {
      title: 'Skew',
      reveals: 'safe',
      min: 9,
      text: ({ skew }) => (skew ? skew.says : null),
      brief: ({ skew }) => (skew ? skewWords[skew.state] : null),
      data: ({ skew }) => skew?.state ?? null,
      tone: ({ skew }) => skew && skewTones[skew.state],
    },
    names: {
      title: 'Names',
      reveals: 'resource',
      from: 140,
      text: ({ nodes, nodes_count: total }) =>
        withMore(nodes.slice(0, 3).join(', '), total - Math.min(3, nodes.length)),
      data: ({ nodes }) => nodes.join(' '),
    },
  })
}

/** Unknown support is stated and never green. */
function nodeSupportSaid({ eol, eol_unknown }: NodeComponent, now: UnixSeconds) {
  if (eol) return supportSaid(eol, now)
  return [safe(`unknown: ${eol_unknown ?? 'not stated'}`, 'warn')]
}

const titleFor = ({ eol }: NodeComponent) => safe(supportTitle(eol ?? {}))

/** One sentence each on unsupported, unknown and skewed components, and on resources that could not be read. */
export function nodeNotes({ nodes = [], unread = [] }: NodeAnswer, now: UnixSeconds): Note[] {
  const on = ({ nodes_count }: NodeComponent) => safe(count(nodes_count, 'node'))
  const ended = nodes.filter(({ eol }) => eol?.is_eol)
  const ending = nodes.filter(({ eol }) => eol && !eol.is_eol && supportTone(eol, now) === 'warn')
  const skewed = nodes.filter(({ skew }) => skew?.state === 'too_old' || skew?.state === 'too_new')
  const name = ({ display_name }: NodeComponent) => named('version', display_name)
  return [
    ...ended.map((row) => noteIn('bad', say`${titleFor(row)} of ${name(row)} has ended, on ${on(row)}.`)),
    ...ending.map((row) => noteIn('warn', say`${titleFor(row)} of ${name(row)} ends soon, on ${on(row)}.`)),
    ...skewed.map((row) => noteIn('bad', say`The kubelet ${name(row)} is ${safe(row.skew!.says)}, on ${on(row)}.`)),
    ...unread
      .filter(({ source }) => source === 'nodes')
      .map(({ reason }) => noteIn('warn', say`What the nodes run is not known. ${reason}`)),
  ]
}
