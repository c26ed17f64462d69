import type { UpgradeRule } from '../contract/state-facts.ts'
import { compareLines, minorsBetween, toMinor } from './line.ts'

/** The lines to stop at between two lines of a project, by its rules; for lines without a known release. */
export function stopsBetween(rules: readonly UpgradeRule[], from: string, to: string): string[] {
  const [first, last] = [toMinor(from), toMinor(to)]
  const minors = first === undefined || last === undefined ? [] : (minorsBetween(first, last) ?? [])
  const stops = rules.flatMap((rule) => {
    if (rule.rule === 'minor-by-minor') return minors
    if (rule.rule === 'max-minor-skip') return minors.filter((_, index) => (index + 1) % Number(rule.value) === 0)
    return rule.rule === 'required-stop' ? requiredStop(rule, from, to) : []
  })
  const isBetween = (line: string) => compareLines(from, line) < 0 && compareLines(line, to) < 0
  return [...new Set(stops)].filter(isBetween).sort(compareLines)
}

function requiredStop({ value, to: before }: UpgradeRule, from: string, to: string): string[] {
  const stop = toMinor(String(value))
  const isCrossed = before !== undefined && compareLines(from, before) < 0 && compareLines(before, to) <= 0
  return stop !== undefined && isCrossed ? [stop] : []
}
