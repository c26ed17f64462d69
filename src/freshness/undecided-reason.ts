import { isInRange, type RunningVersion, readRange } from './advisory-range.ts'
import type { KnownAdvisory } from './affected.ts'
import { rangeText } from './range-text.ts'
import { isCalendar } from './versions.ts'

/** Why an advisory can be neither confirmed nor excluded for a version, as a clause. */
export function undecidedReason({ ranges }: Pick<KnownAdvisory, 'ranges'>, running: RunningVersion) {
  const { version, isLine } = running
  if (ranges.length === 0) return 'it does not state the affected versions in a form that can be compared'
  if (version.lead !== '') return `the tag names another line, ${version.lead}`
  for (const range of ranges) {
    const read = readRange(range, new Map())
    const text = `"${rangeText(range)}"`
    if (!read) return `the range ${text} is not readable`
    if (isInRange(running, read) !== 'unknown') continue
    if (isLine) return `${version.text} covers versions inside and outside the range ${text}`
    const bounds = [read.introduced, read.fixed, read.lastAffected]
    const isOther = bounds.some((bound) => bound && isCalendar(bound.version) !== isCalendar(version))
    if (isOther) return `${version.text} and the range ${text} use different version schemes`
    return `the order of ${version.text} and the range ${text} is not known`
  }
  return `its ranges cannot be compared with ${version.text}`
}
