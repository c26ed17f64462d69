import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareVersions, parseVersion, readAny } from '../../src/freshness/versions.ts'
import { growthOf } from '../helpers/growth.ts'

const compare = (a: string, b: string) => Math.sign(compareVersions(parseVersion(a)!, parseVersion(b)!))

describe('parseVersion', () => {
  test.each([
    ['1.27.3', '1.27.3', ''],
    ['v1.27.3', '1.27.3', ''],
    ['V1.27.3', '1.27.3', ''],
    ['1.27.3-alpine', '1.27.3', 'alpine'],
    ['1.27.3-alpine3.20', '1.27.3', 'alpine'],
    ['16.4.0-debian-12-r3', '16.4.0', 'debian'],
    ['7.2.4-alpine3.20-slim', '7.2.4', 'alpine-slim'],
    ['21.0.8_9-jre', '21.0.8', 'jre'],
    ['17-jre-ubi9-minimal', '17', 'jre-ubi-minimal'],
    ['6.6.2-php8.2-fpm', '6.6.2', 'php8.2-fpm'],
    ['3.13.7-management-alpine', '3.13.7', 'management-alpine'],
    ['1.17.5-ent', '1.17.5', 'ent'],
    ['v2.41.1-distroless', '2.41.1', 'distroless'],
    ['1.2.3-amd64', '1.2.3', 'amd64'],
    ['1.2.3-linux-arm64', '1.2.3', 'linux-arm64'],
    ['windowsltsc2022-amd64-2.9.3', '2.9.3', 'windowsltsc-amd64'],
    ['1.43.3.10896-cb3ebc72d', '1.43.3.10896', ''],
    ['3.16.0-202510071958', '3.16.0', ''],
    ['v1.26.5-gke.2700', '1.26.5', ''],
    ['v1.29.0-eks-5e0fdde', '1.29.0', ''],
    ['v1.36.3+k3s1', '1.36.3', ''],
    ['24.3.1+dbae01c0bd1d', '24.3.1', ''],
    ['0.43.0-kafka-3.8.0', '0.43.0', 'kafka.3.8.0'],
    ['4.09', '4.9', ''],
    ['3.71_large_disk', '3.71', 'large-disk'],
    ['8u502-b07', '8.0.502', ''],
    ['alpine-v19.3.0', '19.3.0', 'alpine'],
    ['alpine3.21-v18.11.4', '18.11.4', 'alpine'],
    ['26+35', '26', ''],
    ['7', '7', ''],
    ['2024', '2024', ''],
    ['2025-08-05', '2025.8.5', ''],
    ['20240915', '2024.9.15', ''],
    ['RELEASE.2025-10-15T17-29-55Z', '2025.10.15.17.29.55', ''],
    ['RELEASE.2025-10-15T17-29-55Z-cpuv1', '2025.10.15.17.29.55', 'cpuv1'],
    ['bookworm-20240904-slim', '2024.9.4', 'bookworm-slim'],
    ['v20231226-1a7112e06', '2023.12.26', ''],
    ['release-3.9.4.2', '3.9.4.2', ''],
    ['version/2026.8.0', '2026.8.0', ''],
    ['ubuntu-22.04-1.2.3', '1.2.3', 'ubuntu'],
  ])('reads %s as %s, %s', (text, number, variant) => {
    const version = parseVersion(text)
    expect(version?.segments.join('.')).toBe(number)
    expect(version).toMatchObject({ variant, prerelease: [] })
  })

  test.each([
    'latest',
    'stable',
    'nightly',
    'main',
    'edge',
    'lts',
    'mainline-alpine',
    'bookworm',
    'sha-abc1234',
    'sha-1234567',
    'main-abc1234',
    'master-1234abc',
    'nightly-20240915',
    'dev-1.2.3',
    'pr-12',
    '1234abc',
    '7e0b1c2',
    '9799770991',
    '202510071958',
    'abcdef0123456789abcdef0123456789abcdef01',
    'pg16',
    'php8.2-fpm',
    'windowsltsc2022',
    'alpine3.20',
    'debian-12',
    'v',
    '',
    '1.2.3\u0000',
    '１.２.３',
    'x'.repeat(300),
  ])('finds no version in %j', (text) => {
    expect(parseVersion(text)).toBeUndefined()
  })

  test.each([
    ['1.0.0-rc.1', ['rc', '1']],
    ['1.0.0-rc1', ['rc', '1']],
    ['v1.0.0-beta2', ['beta', '2']],
    ['1.0.0-alpha', ['alpha']],
    ['40.0.0-ea.1', ['ea', '1']],
    ['1.2.3-dev', ['dev']],
    ['1.2.3-preview.2', ['preview', '2']],
    ['1.20.0-pre.4', ['pre', '4']],
    ['3.0.0-M1', ['milestone', '1']],
    ['3.0.0.M1', ['milestone', '1']],
    ['1.0-SNAPSHOT', ['snapshot']],
    ['v2.13-head', ['head']],
    ['2.0.0.pre', ['pre']],
    ['1.2.0rc1', ['rc', '1']],
    ['1.2.0a1', ['alpha', '1']],
    ['1.2.0b2', ['beta', '2']],
    ['1.2.0.dev3', ['dev', '3']],
    ['2.0.0-beta1.2', ['beta', '1', '2']],
    ['6.24.0-weekly.232', ['weekly', '232']],
    ['3.13.0rc2-slim', ['rc', '2']],
    ['v1.11.0-network-topology-preview.3', ['preview', '3']],
    ['1.2.3-nightly-20240915', ['nightly', '20240915']],
  ])('%s is a pre-release', (text, prerelease) => {
    expect(parseVersion(text)?.prerelease).toEqual(prerelease)
  })

  test.each([
    ['16.4.0-debian-12-r3', ['3']],
    ['v1.36.3-k3s2', ['2']],
    ['v1.36.3+k0s.0', ['0']],
    ['v1.30.1+rke2r1', ['1']],
    ['v13.0.1+security-01', ['1']],
    ['3.95.2-01', ['1']],
    ['v1.11.1-eksbuild.9', ['9']],
    ['1.2.3-hotfix.2', ['2']],
    ['v1.2.3-14-gabcdef0', ['14']],
    ['9.6p1', ['1']],
    ['1.2.3-fips', []],
    ['1.2.3', []],
  ])('%s is a rebuild', (text, revision) => {
    expect(parseVersion(text)).toMatchObject({ revision, prerelease: [] })
  })

  test.each([
    ['controller-v1.15.1', 'controller-v(.*)', '1.15.1', 'controller-v'],
    ['v1.15.1', 'controller-v(.*)', '1.15.1', 'v'],
    ['edge-26.8.3', 'edge-(.*)', '26.8.3', 'edge-'],
    ['jdk-21.0.12+8', 'jdk-(.*)', '21.0.12+8', 'jdk-'],
    ['n8n@2.42.2', 'n8n@(.*)', '2.42.2', 'n8n@'],
    ['RELEASE.2025-10-15T17-29-55Z', 'RELEASE\\.(.*)', '2025-10-15T17-29-55Z', 'RELEASE.'],
  ])('reads %s by the tag pattern %s', (text, pattern, bare, prefix) => {
    expect(parseVersion(text, new RegExp(`^(?:${pattern})$`))).toMatchObject({ text, bare, prefix, lead: '' })
  })

  test('keeps what stands before the number when it chooses another line of tags', () => {
    expect(parseVersion('stable-2.14.10')?.lead).toBe('stable')
    expect(parseVersion('api/v1.14.0')?.lead).toBe('api')
    expect(parseVersion('alpine-7.4.13')?.lead).toBe('alpine')
    expect(parseVersion('ubuntu-22.04-1.2.3')?.lead).toBe('')
  })

  test('never throws', () => {
    fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => void parseVersion(text)))
  })

  test.each(['1', '1.', '.1', '-1', 'v1', 'a', '1a', '-rc', '20240915', '+', '1-'])(
    'takes time by the length of hostile text made of %j',
    (part) => {
      const run = (size: number) => ['', '!'].map((end) => parseVersion(`${part.repeat(size / part.length)}${end}`))
      expect(growthOf({ run, input: (size) => size, most: 250 })).toBeLessThan(3)
      // What is longer is no version.
      expect(growthOf({ run, input: (size) => size, most: 20_000 })).toBeLessThan(3)
    },
  )
})

describe('compareVersions', () => {
  test.each([
    ['2025-08-05', '2025-06-03'],
    ['1.43.3.10896-cb3ebc72d', '1.43.3.10861-07dfddaeb'],
    ['4.9.0.12', '4.9.0.9'],
    ['3.16.0-202510071958', '3.14.1-202508210758'],
    ['3.16.0-202510071958', '3.16.0-202508210758'],
    ['RELEASE.2025-10-15T17-29-55Z', 'RELEASE.2025-10-15T01-29-55Z'],
    ['20240915', '20240801'],
    ['1.10.0', '1.9.9'],
    ['4.10', '4.09'],
    ['2.578', '2.99'],
    ['1.0.0', '1.0.0-rc.1'],
    ['1.0.0-rc.1', '1.0.0-beta.9'],
    ['1.0.0-rc.10', '1.0.0-rc.9'],
    ['1.0.0-rc10', '1.0.0-rc9'],
    ['1.0.0-beta.1', '1.0.0-alpha'],
    ['1.0.0-rc.1', '1.0.0-rc'],
    ['1.2.0rc1', '1.2.0b2'],
    ['16.4.0-debian-12-r10', '16.4.0-debian-12-r9'],
    ['v1.36.3-k3s2', 'v1.36.3-k3s1'],
    ['v13.0.1+security-02', 'v13.0.1+security-01'],
    ['8u502-b07', '8u492-b09'],
    ['21.0.12+8', '21.0.12+7'],
    ['99999999999999999999999.0.1', '99999999999999999999998.9.9'],
    ['1.99999999999999999999', '1.99999999999999999998'],
    ['1.0.0-rc.99999999999999999999', '1.0.0-rc.99999999999999999998'],
    ['windowsltsc2022-amd64-2.10.0', '2.9.3-windowsltsc2022'],
  ])('%s is newer than %s', (newer, older) => {
    expect(compare(newer, older)).toBe(1)
    expect(compare(older, newer)).toBe(-1)
  })

  test.each([
    ['24.3.1+dbae01c0bd1d', '24.3.1'],
    ['v1.2.3', '1.2.3'],
    ['1.2', '1.2.0'],
    ['01.02.03', '1.2.3'],
    ['1.27.3-alpine', '1.27.3-slim'],
    ['1.0.0-rc1', '1.0.0-rc.1'],
    ['1.0b2', '1.0.0-beta.2'],
  ])('%s equals %s', (a, b) => {
    expect(compare(a, b)).toBe(0)
  })

  test('reads common versions in a short way that equals the long one', () => {
    const number = fc.oneof(fc.nat(2030), fc.nat(99_999_999)).map(String)
    const part = fc.oneof(number, fc.constantFrom('00', '04', '0010'))
    const stage = fc.constantFrom(
      '',
      '-rc.1',
      '-rc2',
      '-rc',
      '-alpha',
      '-beta-03',
      '-rc.',
      '-RC1',
      '-rc.1.1',
      '-r3',
      'a1',
    )
    const text = fc
      .tuple(fc.constantFrom('', 'v', 'V', 'release-'), fc.array(part, { minLength: 1, maxLength: 5 }), stage)
      .map(([prefix, numbers, suffix]) => prefix + numbers.join('.') + suffix)
    fc.assert(
      fc.property(text, (text) => void expect(parseVersion(text)).toEqual(readAny(text, text))),
      { numRuns: 2000 },
    )
    const pattern = /^(?:app-(.*))$/
    fc.assert(
      fc.property(
        text,
        (text) => void expect(parseVersion(`app-${text}`, pattern)).toEqual(readAny(`app-${text}`, text)),
      ),
    )
  })

  test('orders any versions of one family: antisymmetric and transitive', () => {
    const number = fc.oneof(fc.nat(30), fc.bigInt(0n, 10n ** 30n)).map(String)
    const stage = fc.constantFrom('', '-rc.1', '-rc2', '-alpha', '-beta.3', '-rc.1.1', '-r3', '-01', '+k3s1', '-alpine')
    const version = fc
      .tuple(fc.array(number, { minLength: 2, maxLength: 4 }), stage)
      .map(([numbers, suffix]) => parseVersion(numbers.join('.') + suffix)!)
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        const sign = (x: typeof a, y: typeof a) => Math.sign(compareVersions(x, y))
        expect(sign(a, b) + sign(b, a)).toBe(0)
        expect(sign(a, a)).toBe(0)
        if (sign(a, b) <= 0 && sign(b, c) <= 0) expect(sign(a, c)).toBeLessThanOrEqual(0)
      }),
      { numRuns: 1000 },
    )
  })
})
