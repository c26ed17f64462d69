import { type Label, LabelInput } from '../contract/label.ts'
import type { WantedLabel } from '../contract/wanted-state.ts'
import type { FieldChange } from './action.ts'

const names = Object.keys(LabelInput.shape) as (keyof LabelInput)[]

/** `label_name` → `name`. */
const inFile = (name: keyof LabelInput) => name.replace(/^label_/, '') as keyof WantedLabel

export function toLabelInput(wanted: WantedLabel) {
  return Object.fromEntries(names.map((name) => [name, wanted[inFile(name)]])) as LabelInput
}

/** Omits fields that the server omits. */
export function toWantedLabel(label: Label) {
  const known = names.filter((name) => label[name] !== undefined)
  return Object.fromEntries(known.map((name) => [inFile(name), label[name]])) as WantedLabel
}

/** Fields of the wanted label that differ from the stored one; `from` is null if there is none. */
export function changedFields(stored: Label | undefined, wanted: WantedLabel): FieldChange[] {
  return names.flatMap((name) => {
    const to = wanted[inFile(name)]
    if (to === undefined || stored?.[name] === to) return []
    return [{ name: inFile(name), from: stored ? (stored[name] ?? 'none') : null, to }]
  })
}
