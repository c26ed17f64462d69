import { expect, test } from 'vitest'
import { type Circuit, isPassable, openCircuit } from '../../src/spool/circuit.ts'

const now = 1_000_000
/** Pauses after so many failures in a row. */
function pauses(random: number, count: number, retryAfter?: number): number[] {
  let circuit: Circuit | undefined
  return Array.from({ length: count }, () => {
    circuit = openCircuit(circuit, { now, retryAfter, random })
    return circuit.notBefore - now
  })
}

test('pauses double from 5 seconds to 15 minutes', () => {
  expect(pauses(0.999999, 10)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
  expect(pauses(0.999999, 2000).at(-1)).toBe(900)
})

test('a pause is anywhere below its bound, and at least a second', () => {
  expect(pauses(0, 4)).toEqual([1, 1, 1, 1])
  expect(pauses(0.5, 4)).toEqual([3, 5, 10, 20])
})

test('a server that says when to come back is asked no earlier, for up to an hour', () => {
  expect(pauses(0, 2, 60)).toEqual([60, 60])
  expect(pauses(0.999999, 5, 60)).toEqual([60, 60, 60, 60, 80])
  expect(pauses(0, 1, 86_400)).toEqual([3600])
})

test('failures in a row are counted', () => {
  const first = openCircuit(undefined, { now, retryAfter: undefined, random: 0 })
  expect(first.failures).toBe(1)
  expect(openCircuit(first, { now, retryAfter: undefined, random: 0 }).failures).toBe(2)
})

test.each([
  [now - 1, true],
  [now, true],
  [now + 1, false],
  [now + 3600, false],
  [now + 3601, true],
])('a circuit until %i is passable: %s', (notBefore, passable) => {
  expect(isPassable({ failures: 1, notBefore }, now)).toBe(passable)
})

test('without a failure everything passes', () => {
  expect(isPassable(undefined, now)).toBe(true)
})
