import { type Measured, measureCases, toFigures } from '../test/freshness/measured-cases.ts'
import type { Figure } from './measure.ts'

/** How often what freshness says is right, in percent; the bounded ratios are of what must be kept to what is kept. */
export async function freshness(): Promise<Figure[]> {
  const measured = measureCases()
  const { precision = 0, recall = 0 } = toFigures(measured)
  const figure = (name: string, least: number, kept: number): Figure => ({
    name: `${name}, ${measured.length} cases`,
    ours: least * 100,
    base: kept * 100,
    unit: '%',
    atMost: 1,
  })
  return [
    ...[...Map.groupBy(measured, ({ family }) => family)].flatMap(([family, cases]) => figuresOfFamily(family, cases)),
    figure('precision of sure answers: least / kept', 0.99, precision),
    figure('recall of known projects: least / kept', 0.95, recall),
  ]
}

/** Told and not bounded. */
function figuresOfFamily(family: string, cases: Measured[]): Figure[] {
  const { precision, recall, right } = toFigures(cases)
  const shares = { precision, ...(recall === undefined ? { right } : { recall }) }
  return Object.entries(shares).flatMap(([name, share]): Figure[] => {
    if (share === undefined) return []
    return [
      { name: `${family}, ${cases.length} cases: ${name}`, ours: share * 100, base: 100, unit: '%', isUnbounded: true },
    ]
  })
}
