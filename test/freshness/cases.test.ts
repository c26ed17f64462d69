import { expect, test } from 'vitest'
import { figuresOf, measureCases } from './measured-cases.ts'

const measured = measureCases()

test('hundreds of images are told as the facts say', () => {
  expect(measured.length).toBeGreaterThan(300)
  expect(measured.filter(({ isRight }) => !isRight)).toEqual([])
})

test('the figures count what is wrong', () => {
  expect(figuresOf(measured)).toEqual({ precision: 1, recall: 1 })
  const worse = measured.map((one, index) => ({ ...one, isRight: index >= measured.length / 2 }))
  expect(figuresOf(worse).precision).toBeLessThan(0.7)
  expect(figuresOf(worse).recall).toBeLessThan(0.7)
})
