import { figuresOf, measureCases } from '../test/freshness/measured-cases.ts'
import type { Figure } from './measure.ts'

/** How often what freshness says is right, in percent; the ratios are of what must be kept to what is kept. */
export async function freshness(): Promise<Figure[]> {
  const measured = measureCases()
  const { precision, recall } = figuresOf(measured)
  const figure = (name: string, least: number, kept: number): Figure => ({
    name: `${name}, ${measured.length} images`,
    ours: least * 100,
    base: kept * 100,
    unit: '%',
    atMost: 1,
  })
  return [
    figure('precision of sure answers: least / kept', 0.99, precision),
    figure('recall of known projects: least / kept', 0.95, recall),
  ]
}
