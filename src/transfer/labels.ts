import type { Label } from '../contract/label.ts'
import { changedFields, toLabelInput, toWantedLabel } from '../declarative/label.ts'
import { nameKey as toKey } from '../util/pick-named.ts'
import { type Direction, type Side, sourceFor, toTarget } from './end.ts'
import { emptyDifference, type TransferDifference, toItem } from './planned.ts'

/** Labels with equal names are the same. Other differences, except in case, are a conflict. */
export function labelDifference(labels: Record<Side, Label[]>, directions: Direction[]): TransferDifference {
  const found = emptyDifference()
  const byName = {
    here: new Map(labels.here.map((label) => [toKey(label.label_name), label])),
    there: new Map(labels.there.map((label) => [toKey(label.label_name), label])),
  }
  let matched = 0
  for (const [name, here] of byName.here) {
    const there = byName.there.get(name)
    if (!there) continue
    const changed = changedFields(there, toWantedLabel(here))
    const fields = changed
      .map((each) => ({ name: each.name, here: each.to, there: each.from ?? 'none' }))
      .filter((each) => String(each.here).toLowerCase() !== String(each.there).toLowerCase())
    if (fields.length === 0) matched++
    else {
      found.conflicts.push({ kind: 'label', name: here.label_name, here_id: null, there_id: null, fields })
    }
  }
  for (const direction of directions) {
    for (const [name, label] of byName[sourceFor(direction)]) {
      if (byName[toTarget(direction)].has(name)) continue
      const step = { do: 'addLabel', label: toLabelInput(toWantedLabel(label)) } as const
      found.copies.push({ item: toItem(direction, 'label', label.label_name), step })
    }
  }
  found.matched.label = matched
  return found
}
