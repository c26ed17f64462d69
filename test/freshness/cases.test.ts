import { expect, test } from 'vitest'
import { measureCases, toFigures } from './measured-cases.ts'

const measured = measureCases()
const families = Map.groupBy(measured, ({ family }) => family)

test.each([...families])('what is told of %s is as the facts say', (_family, cases) => {
  expect(cases.filter(({ isRight }) => !isRight)).toEqual([])
})

test('there are hundreds of cases, most of them hard, and each once', () => {
  expect(families.get('plain')?.length).toBeLessThan(measured.length / 2)
  expect(measured.length).toBeGreaterThan(1000)
  expect(new Set(measured.map(({ what }) => what)).size).toBe(measured.length)
})

test('a case can be answered surely, unsurely or not at all', () => {
  const sure = measured.filter(({ isConfident }) => isConfident)
  expect(sure.length).toBeGreaterThan(measured.length / 2)
  expect(sure.filter(({ status }) => status === 'unknown' || status === 'doubtful')).toEqual([])
})

test('the figures count what is wrong', () => {
  expect(toFigures(measured)).toEqual({ precision: 1, recall: 1, right: 1 })
  const worse = measured.map((one, index) => ({ ...one, isRight: index >= measured.length / 2 }))
  const { precision, recall, right } = toFigures(worse)
  expect(Math.max(precision!, recall!, right!)).toBeLessThan(0.7)
  expect(toFigures([])).toEqual({ precision: undefined, recall: undefined, right: undefined })
})
