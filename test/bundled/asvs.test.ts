import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const [, table = ''] = readFileSync('docs/security.md', 'utf8').split('## OWASP ASVS 5.0, level 2')
const rows = [...table.matchAll(/^\| (V\d.*?) \| (.*?) \| (.*?) \|$/gm)].map(([, names, where, tests]) => ({
  names: names!,
  where: where!,
  tests: [...tests!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!),
}))

test('each test that the table of ASVS names exists', () => {
  const named = rows.flatMap(({ tests }) => tests)
  expect(named.length).toBeGreaterThan(80)
  expect([...new Set(named)].filter((file) => !existsSync(file))).toEqual([])
})

test('what is met has a test, and what is not has a reason', () => {
  for (const { names, where, tests } of rows) {
    const isMet = !/^(Not met(?: in part)?, because|Does not apply:) \S/.test(where)
    expect([names, tests.length > 0]).toEqual([names, isMet])
  }
})

/** Sections of the standard, and the requirements of levels 1 and 2 in each. */
const sections: Record<string, number[]> = {
  ...{ 'V1.1': [1, 2], 'V1.2': [1, 2, 3, 4, 5, 6, 7, 8, 9], 'V1.3': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
  ...{ 'V1.4': [1, 2, 3], 'V1.5': [1, 2], 'V2.1': [1, 2, 3], 'V2.2': [1, 2, 3], 'V2.3': [1, 2, 3, 4], 'V2.4': [1] },
  ...{ 'V3.2': [1, 2], 'V3.3': [1, 2, 3, 4], 'V3.4': [1, 2, 3, 4, 5, 6], 'V3.5': [1, 2, 3, 4, 5], 'V3.7': [1, 2] },
  ...{ 'V4.1': [1, 2, 3], 'V4.2': [1], 'V4.3': [1, 2], 'V4.4': [1, 2, 3, 4], 'V5.1': [1], 'V5.2': [1, 2, 3] },
  ...{ 'V5.3': [1, 2], 'V5.4': [1, 2, 3], 'V6.1': [1, 2, 3], 'V6.2': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] },
  ...{ 'V6.3': [1, 2, 3, 4], 'V6.4': [1, 2, 3, 4], 'V6.5': [1, 2, 3, 4, 5], 'V6.6': [1, 2, 3], 'V6.8': [1, 2, 3, 4] },
  ...{
    'V7.1': [1, 2, 3],
    'V7.2': [1, 2, 3, 4],
    'V7.3': [1, 2],
    'V7.4': [1, 2, 3, 4, 5],
    'V7.5': [1, 2],
    'V7.6': [1, 2],
  },
  ...{ 'V8.1': [1, 2], 'V8.2': [1, 2, 3], 'V8.3': [1], 'V8.4': [1], 'V9.1': [1, 2, 3], 'V9.2': [1, 2, 3, 4] },
  ...{ 'V11.1': [1, 2], 'V11.2': [1, 2, 3], 'V11.3': [1, 2, 3], 'V11.4': [1, 2, 3, 4], 'V11.5': [1], 'V11.6': [1] },
  ...{ 'V12.1': [1, 2, 3], 'V12.2': [1, 2], 'V12.3': [1, 2, 3, 4], 'V13.1': [1], 'V13.2': [1, 2, 3, 4, 5] },
  ...{ 'V13.3': [1, 2], 'V13.4': [1, 2, 3, 4, 5], 'V14.1': [1, 2], 'V14.2': [1, 2, 3, 4], 'V14.3': [1, 2, 3] },
  ...{ 'V15.1': [1, 2, 3], 'V15.2': [1, 2, 3], 'V15.3': [1, 2, 3, 4, 5, 6, 7], 'V16.1': [1], 'V16.2': [1, 2, 3, 4, 5] },
  ...{ 'V16.3': [1, 2, 3, 4], 'V16.4': [1, 2, 3], 'V16.5': [1, 2, 3] },
}

test('each requirement is in the table once', () => {
  const all = Object.entries(sections).flatMap(([section, numbers]) => numbers.map((number) => `${section}.${number}`))
  const named = rows.flatMap(({ names }) => names.split(', ').flatMap(rangeFor))
  const counts = Map.groupBy([...named, ...all], (name) => name)
  const missing = all.filter((name) => counts.get(name)!.length === 1)
  const unknown = named.filter((name) => !['V10', 'V17'].includes(name) && !all.includes(name))
  expect({ missing, unknown, twice: named.filter((name, at) => named.indexOf(name) !== at) }).toEqual({
    missing: [],
    unknown: [],
    twice: [],
  })

  /** `V1.2.6 to V1.2.8`, also over the end of a section. */
  function rangeFor(names: string): string[] {
    const [first = '', last = first] = names.split(' to ')
    const [from, to] = [all.indexOf(first), all.indexOf(last)]
    return from < 0 || to < 0 ? [names] : all.slice(from, to + 1)
  }
})
