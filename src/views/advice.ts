import type { Eol } from '../contract/eol.ts'
import type { FreshnessStatus } from '../contract/freshness.ts'
import type { StateReason, Step, Steps } from '../contract/step.ts'
import { effectText, isNone, stepNotes, stepToTake, wayText } from '../lifecycle/step-text.ts'
import { supportText } from '../lifecycle/support-text.ts'
import { capital } from '../util/words.ts'
import { reasonTexts } from './state.ts'

export interface AdviceInput {
  /** Name of the project or chart; undefined if no project in the catalog publishes the artifact. */
  name: string | undefined
  /** The running version can be compared. */
  hasVersion: boolean
  status: FreshnessStatus
  mode: 'exact' | 'line' | 'none'
  /** Newest version in the tag family. */
  latest: string | null
  /** Newest version of the project in any tag family. */
  newest: string | null
  steps: Steps
  /** Reasons why there is no step. */
  because: readonly string[]
  reasons: readonly StateReason[]
  /** The running cycle with its common name: `Ubuntu 20.04`. */
  support: (Eol & { name: string }) | undefined
  catalogDate: string
  /** The chart that installs an image, which is upgraded with it. */
  installedBy?: { name: string; status: FreshnessStatus } | undefined
  /** The offering that runs it and upgrades it with the cluster. */
  managedBy?: { name: string; isOwn: boolean; advice: string | undefined } | undefined
}

/** Recommended action for an artifact, in a few short sentences. */
export function adviceText(input: AdviceInput) {
  const { reasons, support } = input
  return [
    ...reasonTexts(reasons),
    actionText(input),
    ...(support?.is_eol ? [`${supportText(support.name, support)}.`] : []),
  ]
    .filter((text) => text !== '')
    .join(' ')
}

function actionText(input: AdviceInput) {
  const { managedBy, installedBy, status, reasons } = input
  if (managedBy) return managedText(input)
  if (installedBy) return chartText(input)
  if (reasons.some(({ state }) => state === 'above_known')) return aboveText(input)
  if (status === 'unknown') return unknownText(input)
  return status === 'up_to_date' ? currentText(input) : upgradeText(input)
}

function managedText({ managedBy, status, reasons, support, latest }: AdviceInput) {
  const { name, isOwn, advice } = managedBy!
  if (!isOwn && status === 'up_to_date' && reasons.length === 0 && !support?.is_eol) return 'Nothing to do.'
  const what = isOwn ? `A component of ${name} itself` : `${name} runs it`
  const newest = latest === null || isOwn ? '' : `; the newest version of the project is ${latest}`
  return `${what}: it comes with the cluster's upgrade${advice ? ` (${advice})` : ''}${newest}.`
}

function chartText(input: AdviceInput) {
  const { installedBy, status, support, reasons } = input
  const { name } = installedBy!
  if (status === 'unknown') return `See the chart ${name}, which installs this image.`
  if (status === 'up_to_date' && !support?.is_eol && reasons.length === 0) return 'Nothing to do.'
  const step = stepToTake({ steps: input.steps, eol: support })
  const image = step ? `; the next safe version of the image is ${step.version}` : ''
  return `${chartStep(installedBy!)}${image}.`
}

function chartStep({ name, status }: { name: string; status: FreshnessStatus }) {
  if (status === 'up_to_date')
    return `The chart ${name} installs this image and is the newest known: its values may set another version`
  if (status === 'unknown') return `Look for a newer version of the chart ${name}, which installs this image`
  return `Upgrade the chart ${name}, which installs this image`
}

function aboveText({ latest, catalogDate }: AdviceInput) {
  return `It is newer than ${latest}, the newest in the catalog of ${catalogDate}: whether it is current is unknown.`
}

function unknownText({ name, hasVersion, newest, reasons }: AdviceInput) {
  if (reasons.length > 0) return ''
  if (name === undefined) return 'Follow its releases at its publisher.'
  if (newest === null) return `Follow the releases of ${name} at its publisher.`
  return `${hasVersion ? 'Compare by hand' : 'Pin a version'}: the newest of ${name} is ${newest}.`
}

function currentText({ reasons, support, mode, catalogDate }: AdviceInput) {
  if (support?.is_eol) return `The catalog of ${catalogDate} has no newer release.`
  if (reasons.some(({ state }) => state !== 'old_facts')) return ''
  if (reasons.length > 0)
    return `It is the newest known, as of ${catalogDate}. Look for a newer one: relt catalog sync.`
  return `Nothing to do${mode === 'line' ? '; pin a full version to know what runs' : ''}.`
}

function upgradeText(input: AdviceInput) {
  const { steps, support, latest, because, mode, status, reasons } = input
  const step = stepToTake({ steps, eol: support })
  if (!step) {
    // The first reason, that the repository is frozen or has moved, was already given.
    const isClosed = reasons.some(({ state }) => state === 'frozen' || state === 'moved')
    if (because.length > 0)
      return because
        .slice(isClosed ? 1 : 0)
        .map((text) => `${capital(text)}.`)
        .join(' ')
    if (!support?.is_lts) return ''
    return `Stay on the newest LTS: ${supportText(support.name, support)}. The newest release is ${latest}.`
  }
  const line = mode === 'line' ? 'the line ' : ''
  const verb = mode === 'line' ? 'Move' : 'Upgrade'
  const effect = effectText(step, steps.clean)
  const isLast = step.version === steps.newest?.version
  if (steps.urgent) {
    return [`${verb} to ${line}${wayText(step)} now${effect === '' ? '' : `: ${effect}`}.`, moreText(input)]
      .join(' ')
      .trim()
  }
  const form = step.image === undefined ? '' : tagHint(step.image)
  const plan = isLast && status === 'major_behind' && mode === 'exact' ? 'Plan the upgrade' : verb
  const first = isLast || step.via.length > 0 ? '' : ' first'
  const newest = isLast || steps.newest === null ? '' : `; the newest is ${farText(steps.newest, step)}`
  const what = effect === '' ? '' : `: ${effect}`
  return `${plan} to ${line}${wayText(step)}${first}${what}${newest}.${form}${notesText(step, support)}`
}

/** Steps other than the urgent one. */
function moreText({ steps, support }: AdviceInput) {
  const { urgent, clean, line, next, newest } = steps
  const shown = new Set([urgent!.version])
  const parts = (
    [
      ['its line has', line],
      ['the next supported line has', next],
      ['the newest is', newest],
    ] as const
  ).flatMap(([words, step]) => {
    if (!step || shown.has(step.version)) return []
    shown.add(step.version)
    return [`${words} ${farText(step, urgent!)}`]
  })
  const rest = parts.join('; ')
  const notes = notesText(urgent!, support)
  const none = !isNone(urgent!.leaves) && clean === null ? ' No newer release is free of all.' : ''
  return `${rest === '' ? '' : `${capital(rest)}.`}${none}${notes}`.trim()
}

/** Names the step with its remaining intermediate versions. */
function farText({ version, via }: Step, near: Step) {
  const rest = via.filter((stop) => stop !== near.version && !near.via.includes(stop))
  return rest.length === 0 ? version : `${version}, after ${rest.join(', ')}`
}

/** Omits the support end if that of the running version was given. */
function notesText(step: Step, support: Eol | undefined) {
  const notes = support?.is_eol ? step.because : stepNotes(step)
  return notes.map((text) => ` ${text}`).join('')
}

/** Reminds that variants of an image are not in the catalog. */
function tagHint(image: string) {
  const tag = image.slice(image.lastIndexOf(':') + 1)
  return /^[\w.+]*\d-[a-z]/.test(tag) ? ` Look for a tag like ${tag}.` : ''
}
