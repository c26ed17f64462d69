import { describe, expect, test } from 'vitest'
import type { Compatibility } from '../../src/contract/upgrade-facts.ts'
import { isPaired, readRanges, toRows } from '../../src/upgrade/compatibility.ts'
import { UpgradeFacts } from '../../src/upgrade/facts.ts'

const row = (kind: Compatibility['kind'], min: string | null, max: string | null, more = {}): Compatibility => ({
  slug: 'tool',
  line: '1.2',
  kind,
  kubernetes_min: min,
  kubernetes_max: max,
  source: 'https://tool.example',
  as_of: '2026-08-21',
  ...more,
})
const newestOn = (day: string) => (day < '2026-04-22' ? '1.35' : '1.36')
const word = (rows: Compatibility[], kubernetes: string) => readRanges(rows, kubernetes, { newestOn }).word

describe('published ranges', () => {
  test('of kind `required` refuse below their minimum and above their maximum, whatever others say', () => {
    const rows = [row('supported', '1.20', '1.36'), row('required', '1.25', '1.35')]
    expect(['1.24', '1.25', '1.35', '1.36'].map((minor) => word(rows, minor))).toEqual(['no', 'ok', 'ok', 'no'])
  })

  test('of kind `stated` decide where nothing is supported, and before `tested`', () => {
    const rows = [row('tested', '1.30', '1.32'), row('stated', '1.29', '1.34')]
    expect(['1.28', '1.29', '1.34', '1.35'].map((minor) => word(rows, minor))).toEqual(['no', 'ok', 'ok', 'no'])
    expect(word([...rows, row('supported', '1.29', '1.33')], '1.34')).toBe('no')
    expect(word([row('stated', '1.29', null)], '1.34')).toBe('unknown')
  })

  test('of kind `supported` decide, in their absence `tested`', () => {
    const rows = [row('tested', '1.30', '1.32'), row('supported', '1.30', '1.34')]
    expect(['1.29', '1.33', '1.35'].map((minor) => word(rows, minor))).toEqual(['no', 'ok', 'no'])
    expect(word([rows[0]!], '1.33')).toBe('no')
  })

  test('with an open end count up to the newest Kubernetes of their day, and only those of kind `supported`', () => {
    expect(readRanges([row('supported', '1.25', null)], '1.36', { newestOn })).toMatchObject({
      word: 'ok',
      openUpTo: '1.36',
    })
    expect(word([row('supported', '1.25', null)], '1.37')).toBe('unknown')
    expect(word([row('supported', '1.25', null, { as_of: '2026-01-01' })], '1.36')).toBe('unknown')
    expect(word([row('tested', '1.25', null)], '1.30')).toBe('unknown')
    expect(word([row('required', '1.25', null)], '1.30')).toBe('unknown')
    expect(word([row('supported', '1.25', null)], '1.24')).toBe('no')
  })

  test('of kind `required` with a maximum decide alone', () => {
    expect(['1.33', '1.35', '1.36'].map((minor) => word([row('required', null, '1.35')], minor))).toEqual([
      'ok',
      'ok',
      'no',
    ])
  })

  test('say nothing of a line without a row', () => {
    expect(readRanges([], '1.33', { newestOn })).toEqual({ word: 'unknown', by: undefined })
  })

  test('are paired where they are for one or two minor versions', () => {
    expect(isPaired(row('tested', '1.33', '1.33'))).toBe(true)
    expect(isPaired(row('tested', '1.33', '1.34'))).toBe(true)
    expect(isPaired(row('tested', '1.33', '1.35'))).toBe(false)
    expect(isPaired(row('supported', null, '1.35'))).toBe(false)
    expect(isPaired(row('required', '1.33', '1.34'))).toBe(false)
  })
})

describe('rows about a version', () => {
  const facts = new UpgradeFacts({
    compatibility: [
      row('supported', '1.25', '1.31', { from_patch: '1.2.5' }),
      row('required', '1.20', null),
      row('required', '1.21', null, { own: true }),
      row('required', '1.19', null, { slug: 'stack', line: '77' }),
      row('tested', '1.25', '1.31', { slug: 'patched' }),
      row('tested', '1.25', '1.33', { slug: 'patched', from_patch: '1.2.1' }),
      row('tested', '1.25', '1.35', { slug: 'patched', from_patch: '1.2.10' }),
    ],
    removals: [],
    breaking: [],
    skew: [],
    components: [],
  })

  test('hold from a patch on', () => {
    expect(toRows(facts, { slug: 'tool' }, { segments: ['1', '2', '4'] }).map(({ kind }) => kind)).toEqual(['required'])
    expect(toRows(facts, { slug: 'tool' }, { segments: ['1', '2', '5'] })).toHaveLength(2)
  })

  test('of the newest release that they hold from decide', () => {
    const maximum = (patch: string) =>
      readRanges(toRows(facts, { slug: 'patched' }, { segments: ['1', '2', patch] }), '1.30', { newestOn }).by!
        .kubernetes_max
    expect(['0', '1', '9', '10'].map(maximum)).toEqual(['1.31', '1.33', '1.33', '1.35'])
  })

  test('are replaced by the last about the same', () => {
    expect(toRows(facts, { slug: 'tool' }, { segments: ['1', '2'] })).toMatchObject([{ kubernetes_min: '1.21' }])
  })

  test('are found by as many numbers as the lines of the project have', () => {
    expect(toRows(facts, { slug: 'stack' }, { segments: ['77', '5', '0'] })).toHaveLength(1)
    expect(toRows(facts, { slug: 'other' }, { segments: ['77', '5', '0'] })).toEqual([])
  })
})
