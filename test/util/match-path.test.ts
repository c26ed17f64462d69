import { expect, test } from 'vitest'
import { matchPath } from '../../src/util/match-path.ts'

const entries = [{ path: '/runs/{run_id}' }, { path: '/runs/compare' }]

test.each<[string, string, object] | [string, undefined]>([
  ['/runs/crun_1', '/runs/{run_id}', { run_id: 'crun_1' }],
  ['/runs/compare', '/runs/compare', {}],
  ['/runs/a%20b', '/runs/{run_id}', { run_id: 'a b' }],
  // What cannot be decoded is a name that nothing has, and no failure.
  ['/runs/%E0', '/runs/{run_id}', { run_id: '%E0' }],
  ['/runs/', undefined],
  ['/runs/a/b', undefined],
])('%s', (path, pattern, params?: object) => {
  const found = matchPath(entries, path)
  expect(found?.entry.path).toBe(pattern)
  expect(found?.params).toEqual(params)
})
