import type { CustomResource } from '../contract/custom-resource.ts'
import type { UnreadSource } from '../contract/node.ts'
import { count } from '../util/words.ts'
import { named, safe, say } from './said.ts'
import { titles } from './titles.ts'
import { columnsOf, type Note, noteIn, type ViewColumn } from './view.ts'

/** The part of a freshness answer about custom resources. */
interface CustomResourceAnswer {
  custom_resources?: CustomResource[] | undefined
  unread?: UnreadSource[] | undefined
}

/** The inventory source of definitions. */
export const definitionSource = 'customresourcedefinitions.apiextensions.k8s.io'
const states = { equal: 'equal', older: 'older', newer: 'newer', unknown: 'not known' } as const
const tones = { equal: undefined, older: 'bad', newer: 'warn', unknown: 'soft' } as const
const witnesses = { storedVersions: 'stored', managedFields: 'written', metrics: 'requested' } as const

const servedText = ({ versions }: CustomResource): string =>
  versions
    .filter(({ is_served }) => is_served)
    .map(({ name, is_deprecated }) => (is_deprecated ? `${name} (deprecated)` : name))
    .join(', ')

/** Uses of a version that is deprecated, or no longer served. */
const usesText = ({ deprecated_in_use }: CustomResource): string =>
  deprecated_in_use
    .map(({ version, by }) => `${version} (${by.map((one) => witnesses[one]).join(', ') || 'in use'})`)
    .join(', ')

/** Columns of custom resources. */
export const customResourceColumns = columnsOf<CustomResource>()({
  name: { title: 'Custom resource', reveals: 'artifact', min: 20, text: ({ name }) => name },
  served: {
    ...{ title: 'Served', reveals: 'safe', from: 110 },
    text: servedText,
    data: ({ versions }) => versions.flatMap(({ name, is_served }) => (is_served ? [name] : [])).join(' '),
  },
  stored: {
    ...{ reveals: 'safe', from: 110 },
    text: ({ stored_versions }) => stored_versions.join(', '),
    data: ({ stored_versions }) => stored_versions.join(' '),
  },
  deprecated: {
    ...{ title: 'Deprecated', reveals: 'safe', min: 10 },
    text: usesText,
    data: ({ deprecated_in_use }) => deprecated_in_use.map(({ version }) => version).join(' '),
    tone: ({ deprecated_in_use }) => (deprecated_in_use.length > 0 ? 'warn' : undefined),
  },
  version: {
    ...{ reveals: 'version', min: 8 },
    text: ({ version }) => version ?? 'not stated',
    data: ({ version }) => version,
  },
  controller: {
    ...{ title: titles.runs, reveals: 'version', min: 8 },
    text: ({ controller_version }) => controller_version ?? 'not known',
    data: ({ controller_version }) => controller_version,
  },
  state: {
    ...{ reveals: 'safe', min: 9 },
    text: ({ state }) => states[state],
    data: ({ state }) => state,
    tone: ({ state }) => tones[state],
  },
  reason: { reveals: 'text', from: 180, text: ({ unknown_because }) => unknown_because },
  step: { reveals: 'text', from: 220, text: ({ step }) => step },
})

const { reason: _, step: __, ...definition } = customResourceColumns

/** Without the reason and step, which notes state once for several definitions. */
export const definitionColumns: ViewColumn<CustomResource>[] = Object.values(definition)

/** Most urgent first: older definitions, then deprecated versions in use. */
export function sortCustomResources(all: readonly CustomResource[]): CustomResource[] {
  const weight = ({ state, deprecated_in_use }: CustomResource) =>
    Number(state === 'older') * 2 + Number(deprecated_in_use.length > 0)
  return all.toSorted((a, b) => weight(b) - weight(a) || (a.name < b.name ? -1 : Number(a.name > b.name)))
}

/** One sentence each on older definitions with their upgrade steps, on deprecated versions, and on unknowns. */
export function customResourceNotes({ custom_resources: all = [], unread = [] }: CustomResourceAnswer) {
  const older = Map.groupBy(
    all.filter(({ state }) => state === 'older'),
    ({ version, controller, controller_version }) => JSON.stringify([version, controller, controller_version]),
  )
  const deprecated = all.filter(({ deprecated_in_use }) => deprecated_in_use.length > 0)
  const unknown = all.filter(({ state }) => state === 'unknown').length
  const notes: Note[] = [...older.values()].flatMap(olderNotes)
  if (deprecated.length > 0) {
    const many = safe(count(deprecated.length, 'custom resource'))
    const have = safe(deprecated.length === 1 ? 'has' : 'have')
    notes.push(noteIn('warn', say`${many} ${have} deprecated versions in use.`))
  }
  if (unknown > 0) {
    const are = safe(`${count(unknown, 'definition')} ${unknown === 1 ? 'is' : 'are'}`)
    notes.push(noteIn('soft', say`Not known whether ${are} older than the controller that runs.`))
  }
  const refused = unread.find((one) => one.source === definitionSource)
  if (refused) notes.push(noteIn('warn', say`The definitions of custom resources are not known. ${refused.reason}`))
  return notes
}

/** Definitions of one version with the same controller. */
function olderNotes(rows: CustomResource[]): Note[] {
  const [{ version, controller, controller_version }] = rows as [CustomResource]
  const shown = (text: string | null) => named('version', text ?? '')
  const runs = named('resource', controller ?? 'its controller')
  const are = safe(rows.length === 1 ? 'is' : 'are')
  const steps = [...new Set(rows.flatMap(({ step }) => step ?? []))]
  return [
    noteIn(
      'bad',
      say`${safe(count(rows.length, 'definition'))} ${are} of ${shown(version)}, and ${shown(controller_version)} of ${runs} runs.`,
    ),
    ...steps.map((step) => noteIn('warn', say`${step}`)),
  ]
}

/** One sentence for answers without a table of custom resources; undefined if there are no problems or no data. */
export function customResourceHint({ custom_resources: all = [] }: CustomResourceAnswer): Note | undefined {
  const older = all.filter(({ state }) => state === 'older').length
  if (older === 0) return undefined
  const are = safe(older === 1 ? 'is' : 'are')
  return noteIn(
    'bad',
    say`${safe(count(older, 'definition'))} of custom resources ${are} older than the controller that runs.`,
  )
}
