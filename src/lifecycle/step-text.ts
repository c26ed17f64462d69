import type { Eol } from '../contract/eol.ts'
import type { AdvisoryCounts, Step, Steps } from '../contract/step.ts'
import { listed } from '../util/words.ts'
import { supportText } from './support-text.ts'

/** The data that describes a step. Servers that do not return steps lack it. */
export interface WithSteps {
  steps?: Steps | null | undefined
  eol?: Pick<Eol, 'is_eol' | 'is_lts'> | null | undefined
}

type Choice<T> = Record<keyof Steps, T | null | undefined>

/**
 * Chooses the recommended step: the urgent one; else the newest in the running line, or in the next supported line if the
 * running one is ending. Without lines, the newest. Never leads from a supported long-term line to one without long-term
 * support.
 */
export function chooseStep<T>(steps: Choice<T>, eol: WithSteps['eol']): T | undefined {
  const { urgent, line, next, newest } = steps
  if (urgent) return urgent
  if (eol?.is_eol) return next ?? newest ?? line ?? undefined
  return line ?? (eol ? next : undefined) ?? (eol?.is_lts ? undefined : newest) ?? undefined
}

export function stepToTake({ steps, eol }: WithSteps) {
  return steps ? chooseStep<Step>(steps, eol) : undefined
}

const severities = ['critical', 'high', 'medium', 'low', 'unrated'] as const

/** `2 critical, 8 high` */
export function countsText(counts: AdvisoryCounts, among: readonly (keyof AdvisoryCounts)[] = severities) {
  const parts = severities.filter((each) => among.includes(each) && counts[each] > 0)
  const exploited = counts.exploited > 0 ? ` (${counts.exploited} exploited)` : ''
  return parts.length === 0 ? '' : `${parts.map((each) => `${counts[each]} ${each}`).join(', ')}${exploited}`
}

export function isNone(counts: AdvisoryCounts) {
  return severities.every((each) => counts[each] === 0)
}

/** `v1.32.13, then v1.33.9, then v1.34.11` */
export function wayText({ via, version }: Pick<Step, 'via' | 'version'>) {
  return [...via, version].join(', then ')
}

/** Table cell: the recommended step, or why there is none. */
export function stepWord(item: WithSteps) {
  const step = stepToTake(item)
  return step ? wayText(step) : ''
}

/** Remarks about a step, one sentence each. */
export function stepNotes({ because, out_of_support: cycle }: Step) {
  return [...because, ...(cycle ? [`${supportText(cycle.name, cycle)}.`] : [])]
}

/** How a step affects advisories, as a clause; empty if it does not. */
export function effectText(step: Step, clean: Step | null) {
  const { fixes, gains } = step
  return [
    ...(isNone(fixes) ? [] : [`it fixes ${countsText(fixes)}`]),
    ...staysText(step, clean),
    ...(gains.length === 0 ? [] : [`it gains ${listed(gains)}`]),
  ].join('; ')
}

interface Affected extends WithSteps {
  step_reasons?: readonly string[] | null | undefined
  fixed_in?: string | null | undefined
}

/** How to fix all advisories, as a clause. */
export function outText(item: Affected) {
  const { steps, step_reasons, fixed_in } = item
  if (!steps) return fixed_in == null ? 'no release without them is known' : `fixed in ${fixed_in}`
  const step = stepToTake(item)
  if (!step) return step_reasons?.[0] ?? 'no release without them is known'
  return [`take ${wayText(step)}`, ...staysText(step, steps.clean)].join('; ')
}

function staysText({ leaves }: Step, clean: Step | null) {
  const until = clean ? ` until ${clean.version}` : ''
  return isNone(leaves) ? [] : [`${countsText(leaves)} ${totalOf(leaves) === 1 ? 'stays' : 'stay'}${until}`]
}

function totalOf(counts: AdvisoryCounts) {
  return severities.reduce((sum, each) => sum + counts[each], 0)
}

interface Named {
  fixed_in?: string | null | undefined
  fixed_in_line?: string | null | undefined
}

/** The version that fixes one advisory of an artifact, and the recommended step. */
export function fixText({ fixed_in, fixed_in_line }: Named, item: Affected) {
  const first = fixed_in_line ?? fixed_in ?? (item.steps ? null : item.fixed_in)
  const fix = first ? `fixed in ${first}` : 'no fix is known'
  const step = stepToTake(item)
  return step && step.version !== first ? `${fix}; take ${wayText(step)}` : fix
}

interface Fixable {
  step?: Step | null | undefined
  wanted_version: string | null
  /** The version that fixes the requested advisory. */
  fixed_in?: string | null | undefined
  /** False: whether the artifact is affected is unknown, and so is the fix. */
  is_certain?: boolean | undefined
}

/** Whether there is a target version, which servers without steps return as the wanted one. */
export const hasStep = ({ step, wanted_version }: Pick<Fixable, 'step' | 'wanted_version'>) =>
  step === undefined ? wanted_version !== null : step !== null

/** `fixes this one: 7.4.6; take 7.4.9` for one advisory, else the recommended step. */
export function impactText({ step, wanted_version, fixed_in, is_certain }: Fixable, isOfOne: boolean) {
  if (step === undefined) return wanted_version ?? 'no fix yet'
  const take = step ? `take ${wayText(step)}` : 'no step'
  if (isOfOne && fixed_in && fixed_in !== wanted_version && fixed_in !== step?.version)
    return `fixes this one: ${fixed_in}; ${take}`
  if (isOfOne && !fixed_in && is_certain !== false) return step ? `no fix yet; ${take}` : 'no fix yet'
  // A fix may be known, but not whether the artifact needs it.
  if (!step && is_certain === false) return 'no step'
  return step ? wayText(step) : fixed_in ? 'no step' : 'no fix yet'
}

/** The day of the facts about its project. */
export function factsDay({
  source_product_id: project,
  catalog_date,
}: {
  source_product_id: number | null
  catalog_date?: string | undefined
}) {
  return project === null ? null : (catalog_date ?? null)
}
