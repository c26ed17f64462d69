import { describe, expect, test } from 'vitest'
import { disownedIn, findDisowned } from '../../../scripts/catalog/candidates/disowned.ts'

const names = ['shop', 'shop-operator', 'Shop Operator']
const read = (text: string, slugs = new Map<string, string>()) => {
  const found = disownedIn(text, { names, slugs })
  return found.length > 0 ? [[found[0]!.state, ...found.map(({ version }) => version)]] : []
}

const under = (text: string, heading = '## v1.2.4 (2026-03-01)') =>
  read(`# Changes\n\n${heading}\n\n${text}\n\n## v1.2.2\n\n- Fixed.\n`)

describe('notes that take a release back', () => {
  test.each([
    ['Do not use v1.2.3.', 'broken', ['1.2.3']],
    ['Please skip 1.2.2 and 1.2.3, and upgrade to 1.2.4.', 'broken', ['1.2.2', '1.2.3']],
    ['Versions v1.2.2 and v1.2.3 have been withdrawn.', 'withdrawn', ['1.2.2', '1.2.3']],
    ['**Known issue:** the labels changed. Skip this release to avoid disruption.', 'broken', ['1.2.4']],
    ['Release canceled.', 'withdrawn', ['1.2.4']],
    ['- (v1.2.3 was withdrawn)', 'withdrawn', ['1.2.3']],
    ['This release should not be used.', 'broken', ['1.2.4']],
    ['Shop Operator 1.2.3 should not be used, please upgrade directly to 1.2.4.', 'broken', ['1.2.3']],
    [
      'The check of shopctl is broken in v1.2.3. We suggest that you do not upgrade `shopctl` to this version.',
      'broken',
      ['1.2.3'],
    ],
    ['A broken attempt at the fixes of 1.2.5. You should not use this version.', 'broken', ['1.2.4']],
    ['### The build of this version was broken. Please use v1.2.5 instead.', 'broken', ['1.2.4']],
    ['Release `v1.2.3` contains a regression. Please do not upgrade to this version.', 'broken', ['1.2.3']],
    ['We recommend to avoid v1.2.3 and use v1.2.4.', 'broken', ['1.2.3']],
    ['Do not use any images from `v1.2.3` and upgrade directly to `v1.2.4`.', 'broken', ['1.2.3']],
    [
      'The minimum recommended versions to run in **production** are v1.1.6+ and v1.2.3+.',
      'broken',
      ['<1.1.6', '<1.2.3'],
    ],
    ['- [HOTFIX] Create hotfixed image for shop-manager:v1.2.3', 'broken', ['1.2.3']],
    ['Running this again, as the process for the previous release failed.', 'broken', ['1.2.2']],
    ['Because of issues with the previous release, all changes of 1.2.1 are here.', 'broken', ['1.2.1']],
    ['The image of 1.2.3 has been removed from the registry.', 'withdrawn', ['1.2.3']],
  ] as const)('%s', (text, state, versions) => {
    expect(under(text)).toEqual([[state, ...versions]])
  })

  test.each([
    '## [1.2.3] - 2026-03-01 [YANKED]',
    '1.2.3 [YANKED]\n=======',
    '## Avoid v1.2.3 manifests and use v1.2.4',
  ])('in the heading %s', (heading) => {
    expect(read(`${heading}\n\n- Fixed.\n`)).toMatchObject([[expect.any(String), '1.2.3']])
  })
})

test('the file name says which release a note is about', () => {
  const files = new Map([['notes/shop-1.2.3.md', '# News\n\nDo not use this release.\n']])
  expect(findDisowned({ files, names, slugs: new Map() })).toEqual([
    { version: '1.2.3', state: 'broken', evidence: 'Do not use this release', at: 'notes/shop-1.2.3.md#L3' },
  ])
})

test('a change log beside a chart is about the chart', () => {
  const files = new Map([
    ['charts/mall/CHANGELOG.md', '## 0.1.0\n\nSkip this release.\n'],
    ['charts/mall/Chart.yaml', 'name: mall\n'],
    ['vendor/cart/CHANGELOG.md', '## 0.2.0\n\nSkip this release.\n'],
  ])
  expect(findDisowned({ files, names, slugs: new Map() })).toMatchObject([{ chart: 'mall', version: '0.1.0' }])
})

test('a warning of a release of another project in the catalog is about that project', () => {
  const slugs = new Map([['ceph', 'ceph']])
  expect(disownedIn('* Ceph Tentacle v20.2.0: Not recommended\n', { names, slugs })).toMatchObject([
    { projects: ['ceph'], version: '20.2.0' },
  ])
})

test('the heading of an upgrade guide is not the release that it warns of', () => {
  const guide = '### Upgrading to `1.8.0`+\n\nShop `v1.8.4` has a regression. Please do not upgrade to this version.\n'
  expect(read(guide)).toEqual([['broken', '1.8.4']])
})

describe('notes that take nothing back', () => {
  test.each([
    'Do not use in production yet.',
    'Do not use this version in production.',
    'Do not use the `--fast` flag of 1.2.3.',
    'Broken links fixed in 1.2.3.',
    'Fixed the cache that was broken in 1.2.3.',
    'Do not upgrade to 1.2.3 without a backup.',
    'In 1.2.3, the shell was removed from the image.',
    'Fixed an error of 1.2.3 where jobs were skipped.',
    'Fixed the broken build of 1.2.3.',
    'Do not use Kubernetes 1.14.2.',
    'Go 1.22.3 has been withdrawn.',
    'You must not skip minor versions.',
    'Do not skip versions such as 1.2.3.',
    'Do not upgrade to v1.3.0 from here.',
    'Upgrade directly to 1.2.3.',
    'The method was withdrawn.',
    'Tests skip releases without notes.',
    'Deprecated flags were removed in 1.2.3.',
  ])('%s', (text) => {
    expect(under(text)).toEqual([])
  })

  test('about a pre-release', () => {
    expect(under('Do not use this release.', '## v1.3.0-rc.1')).toEqual([])
  })

  test('in a section without a version', () => {
    expect(under('Do not use this release.', '## Unreleased')).toEqual([])
  })
})
