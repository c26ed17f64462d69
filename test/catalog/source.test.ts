import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unrenewed } from '../../scripts/catalog/renewed.ts'
import { readSource } from '../../scripts/catalog/source.ts'
import { temporaryFolder } from '../helpers/cli.ts'

/** The sources of the catalog, with one text of one file replaced. */
function changed(file: string, from: string, to: string) {
  const folder = temporaryFolder()
  const lists = globSync('*.yaml', { cwd: 'catalog' })
  for (const path of [...lists, 'projects/argo-cd.yaml', 'projects/kyverno.yaml'])
    cpSync(join('catalog', path), join(folder, path))
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to))
  return folder
}

test('the sources of some projects are read', () => {
  const { projects } = readSource(changed('projects/argo-cd.yaml', 'name: Argo CD', 'name: Argo'))
  expect([...projects.keys()]).toEqual(['argo-cd', 'kyverno'])
  expect(projects.get('argo-cd')).toMatchObject({ name: 'Argo', repo_url: 'https://github.com/argoproj/argo-cd' })
})

test.each([
  [
    'a fact without an address',
    'bad_releases.0.source',
    /, source: https:\/\/github.com\/argoproj\/argo-cd\/blob\/master[^,]+/,
    '',
  ],
  ['a fact without a day', 'bad_releases.0.as_of', /(bad_releases:\n.*), as_of: [\d-]+/, '$1'],
  ['a range without a word about newer versions', 'ranges.stated.2.kubernetes_max', /kubernetes_max: not stated, /, ''],
  ['a number where a version is meant', 'ranges.stated.6.line', /line: "2.10"/, 'line: 2.10'],
  ['a member that nobody reads', 'Unrecognized key', /^homepage/m, 'home_page'],
  ['a description that is too short', 'description', /^description: .*/m, 'description: Short'],
  ['the image of another project', 'kyverno', /quay.io\/argoproj\/argocd/, 'ghcr.io/kyverno/kyverno'],
])('%s is refused', (_, named, from, to) => {
  const text = readFileSync('catalog/projects/argo-cd.yaml', 'utf8')
  const [found] = from.exec(text)!
  const folder = changed('projects/argo-cd.yaml', found, found.replace(from, to))
  expect(() => readSource(folder)).toThrow(named)
})

test.each([
  ['2026-08-22', 'known_until', '2026-02-23', undefined, []],
  [
    '2026-08-22',
    'known_until',
    '2026-02-22',
    undefined,
    [expect.stringContaining('argo-cd is known until 2026-02-22')],
  ],
  ['2026-08-22', 'known_until', '2026-02-22', 'its host is gone', []],
  ['2026-08-22', 'known_until', '2026-02-23', 'its host is gone', [expect.stringContaining('renewed again')]],
  ['2026-08-22', 'charts', '2026-02-23', undefined, []],
  ['2026-08-22', 'none', '', undefined, [expect.stringContaining('argo-cd is known until no day')]],
])('on %s, %s %s with the reason %s is refused as %j', (day, member, until, not_renewed, expected) => {
  const { projects, lists } = readSource(changed('projects/argo-cd.yaml', 'name: Argo CD', 'name: Argo'))
  const argo = { ...projects.get('argo-cd')!, ...(not_renewed && { not_renewed }) }
  const known = { known_until: member === 'known_until' ? until : null, complete_since: null, basis: '' }
  const charts = member === 'charts' ? { charts: { 'argo-cd': { known_until: until } } } : {}
  const history = { 'argo-cd': { ...known, ...charts } }
  expect(unrenewed({ projects: new Map([['argo-cd', argo]]), lists }, history, day)).toEqual(expected)
})

test('a retired project needs no source', () => {
  const { projects, lists } = readSource()
  const retired = new Map([['aad-pod-identity', projects.get('aad-pod-identity')!]])
  expect(unrenewed({ projects: retired, lists }, {}, '2026-08-22')).toEqual([])
})
