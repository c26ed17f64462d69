import type { RunGate } from '../../contract/gate-verdict.ts'
import { ReltError } from '../../errors.ts'
import { drawSaid, plainInk } from '../../render/html/draw.ts'
import { html, type Markup, name, time } from '../../render/html/markup.ts'
import { type JudgedRun, recordedTone } from '../../views/gate.ts'
import { safe, unknownMark } from '../../views/said.ts'
import { scoreSaid } from '../../views/score.ts'
import type { Figure, Part } from '../../views/view.ts'
import type { View } from './view.ts'

/** `n/a` with the reason. */
export function unknown(reason: string) {
  return html`${drawSaid(unknownMark)} <span class="soft">${reason}</span>`
}

/** A score, marked if it has gaps. */
export const scoreFigure = (run: Parameters<typeof scoreSaid>[0]) => drawSaid(scoreSaid(run) ?? [safe('n/a')])

export function gateWord(gate: RunGate | null | undefined, run: JudgedRun, now: number) {
  const word = gate ? safe(gate.verdict, recordedTone(gate, run, now)) : safe('not judged')
  return html`<span class="word">${drawSaid([word])}</span>`
}

/** The headline of a page. */
export function banner(
  kind: 'failed' | 'undecided' | 'passed' | '',
  words: Markup | string,
  more: Markup | string = '',
) {
  return html`<div class="verdict ${kind}"><strong>${words}</strong>${more}</div>`
}

/** `before` and `after`: what a medium adds to the note below the number. */
export function figureCard(
  { title, value, tone, more = [] }: Figure,
  ink = plainInk,
  { before, after }: Partial<Record<'before' | 'after', Markup | false | null>> = {},
) {
  return html`<li><span class="label">${title}</span><b class="${tone ?? ''}">${drawSaid(value, ink)}</b><span class="more">${before}${drawSaid(more, ink)}${after}</span></li>
`
}

export function section(id: string, title: string, body: Markup) {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${body}
</section>
`
}

/** An optional part: if it is missing, the page still has its other parts. `none` is the reason if there is no data. */
export async function toPart<T>(ask: () => Promise<T>, none?: string): Promise<Part<T>> {
  try {
    return { found: await ask() }
  } catch (error) {
    if (!(error instanceof ReltError) || !['not_found', 'forbidden', 'invalid_param', 'conflict'].includes(error.code))
      throw error
    return { missing: error.code === 'not_found' && none !== undefined ? none : error.message }
  }
}

interface ClusterName {
  cluster_name: string
  environment: string
}

export function clusterTitle({ cluster_name, environment }: ClusterName) {
  return html`${name(cluster_name)} <small>${name(environment)}</small>`
}

/** `prod-eu (prod)`. */
export const clusterText = ({ cluster_name, environment }: ClusterName) => `${cluster_name} (${environment})`

export function runLink(view: View, runId: string | null, label: string | Markup) {
  return runId === null ? html`${label}` : view.link(`/runs/${runId}`, label)
}

/** A timestamp, or `never`. */
export const timeOrNever = (at: string | null) => (at === null ? html`never` : time(at))
