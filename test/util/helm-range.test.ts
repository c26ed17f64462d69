import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readHelmRange } from '../../src/util/helm-range.ts'
import { readHelmVersion } from '../../src/util/helm-version.ts'

interface Vectors {
  versions: string[]
  generated: [range: string, answers: string][]
  real: [range: string, answers: string][]
}

/** Answers of Masterminds/semver 3.5.0: a bit for each version, in base 36; empty for a range that it refuses. */
const vectors = JSON.parse(readFileSync(new URL('helm-ranges.json', import.meta.url), 'utf8')) as Vectors
const versions = vectors.versions.map((text) => readHelmVersion(text)!)

function answersTo(text: string): string {
  const range = readHelmRange(text)
  if (!range) return ''
  return BigInt(`0b${versions.map((version) => Number(range(version))).join('')}`).toString(36)
}

describe('a range of Kubernetes versions', () => {
  test.each(['generated', 'real'] as const)('of the %s ones means what it means to Helm', (kind) => {
    const wrong = vectors[kind].filter(([range, answers]) => answersTo(range) !== answers)
    expect(wrong).toEqual([])
    expect(vectors[kind].length).toBe(kind === 'real' ? 300 : 2000)
    expect(versions.length).toBe(60)
  })

  test.each([
    ['>=1.21.0-0,<1.35.0-0', 'v1.33.10-eks-ba2e9a1', true],
    ['>=1.21.0-0,<1.35.0-0', 'v1.35.0', false],
    ['>=1.25', 'v1.33.10-eks-ba2e9a1', false],
    ['~1.25-0', 'v1.25.16', true],
    ['=>1.25', 'v1.33.0+k3s1', true],
    ['!=1.20.1', 'v1.20.1', false],
    ['>= 1.19 - 1.22', 'v1.20.0', false],
    ['', 'v1.20.0', false],
  ])('%s, %s: %s', (range, version, isIn) => {
    expect(readHelmRange(range)?.(readHelmVersion(version)!) ?? false).toBe(isIn)
  })

  test('is read in time that grows with its length', () => {
    const spaces = `${'1 '.repeat(200)}!`
    for (const hostile of [
      spaces,
      `${'1  '.repeat(150)},,`,
      '-'.repeat(500),
      `1${' - 1'.repeat(120)}`,
      '1.'.repeat(250),
    ]) {
      expect(readHelmRange(hostile)).toBeUndefined()
    }
    expect(readHelmRange('9'.repeat(600))).toBeUndefined()
  })
})
