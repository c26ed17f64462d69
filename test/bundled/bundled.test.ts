import { readFileSync } from 'node:fs'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { build, type Metafile } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { bundleOptions } from '../../scripts/bundle-options.ts'
import { renderNotices } from '../../scripts/bundled/notices.ts'
import { type BundledPackage, toPackages, usedByUs } from '../../scripts/bundled/packages.ts'
import { makeSbom } from '../../scripts/bundled/sbom.ts'
import { listBundled } from '../../scripts/bundled/write.ts'

let metafile: Metafile
beforeAll(async () => {
  const options = { entryPoints: { main: 'src/main.ts' }, outdir: 'dist', splitting: true, format: 'esm' } as const
  ;({ metafile } = await build({ ...bundleOptions, ...options, metafile: true, write: false }))
})

const contents = (): [title: string, listed: ReturnType<typeof listBundled>][] => [
  ['the npm package', listBundled([metafile])],
  ['the executable', listBundled([metafile], { addon: 'node_modules/@napi-rs/keyring-linux-x64-gnu' })],
]
const toNames = (packages: BundledPackage[]) => packages.map(({ name }) => name)

describe('what is bundled', () => {
  test('has a license text and a license', () => {
    for (const [title, { packages }] of contents()) {
      expect(packages.length, title).toBeGreaterThan(40)
      // Libraries of Node have their licenses in that of Node.
      const own = packages.filter((each) => !isPartOfNode(each))
      expect(toNames(own.filter(({ license, licenseText }) => !license || licenseText.length < 60))).toEqual([])
      expect(packages.every(({ licenseText }) => licenseText !== '')).toBe(true)
    }
  })

  test('names each package that the bundler put in, and Node, SQLite and jq', () => {
    for (const [title, { packages, uses }] of contents()) {
      const names = toNames(packages)
      const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs))
      for (const [path, { bytesInOutput }] of inputs) {
        const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]
        if (name && bytesInOutput > 0) expect(names, title).toContain(name)
      }
      expect(names).toEqual(expect.arrayContaining(['node', 'sqlite', 'jq', 'oniguruma', 'commander', 'undici']))
      expect(names.some((name) => name.startsWith('@napi-rs/keyring'))).toBe(true)
      for (const name of ['generic/node', 'npm/commander', 'npm/undici']) expect(uses.join()).toContain(`pkg:${name}@`)
    }
    const [npm, executable] = contents().map(([, { packages }]) => toNames(packages))
    expect(npm).not.toContain('openssl')
    expect(executable).toEqual(expect.arrayContaining(['@napi-rs/keyring-linux-x64-gnu']))
  })

  test.each(['openssl', 'v8', 'zlib', 'icu'] as const)('names %s, which is inside Node, with its version', (name) => {
    const [, [, { packages, uses }]] = contents() as [unknown, ReturnType<typeof contents>[0]]
    const { components } = makeSbom(packages, uses) as Sbom
    const [component, ...others] = components.filter((each) => each.name === name)
    expect(others).toEqual([])
    expect(component!.version).toBe(process.versions[name as 'v8'])
    expect(component!.cpe).toMatch(/^cpe:2\.3:a:[a-z-]+:[a-z0-9_]+:\d+(\.\d+)+:\*/)
  })

  test('is there once, by the lock', () => {
    const lock = Object.keys(JSON.parse(readFileSync('package-lock.json', 'utf8')).packages)
    const [[, { packages }]] = contents() as [ReturnType<typeof contents>[0]]
    const names = new Set(toNames(packages))
    // Below a package that is bundled, another version would be bundled, too.
    const twice = lock.filter((folder) => {
      const [, outer, inner] = /^node_modules\/(.+)\/node_modules\/(.+)$/.exec(folder) ?? []
      return names.has(outer!) && names.has(inner!)
    })
    expect(twice).toEqual([])
  })

  test('leaves out what is installed, and what the bundler shook off', () => {
    const outputs = {
      'main.js': {
        inputs: {
          'src/main.ts': { bytesInOutput: 5 },
          'node_modules/commander/index.js': { bytesInOutput: 5 },
          'node_modules/yaml/index.js': { bytesInOutput: 0 },
        },
      },
    }
    const inputs = {
      'src/main.ts': { imports: [{ path: 'node_modules/commander/index.js' }, { path: 'node_modules/yaml/index.js' }] },
    }
    const fake = [{ inputs, outputs } as unknown as Metafile]
    expect(toNames(toPackages(fake))).toEqual(['commander'])
    expect(usedByUs(fake)).toEqual([expect.stringMatching(/^pkg:npm\/commander@/)])
    expect(toNames(listBundled([metafile]).packages)).not.toContain('vitest')
    expect(Object.keys(metafile.inputs).filter((file) => /^(test|bench|scripts)\//.test(file))).toEqual([])
  })
})

const isPartOfNode = ({ purl, name }: BundledPackage) =>
  purl.startsWith('pkg:generic/') && name !== 'node' && name !== 'sqlite'

test('the notices cannot be made with a package that has no license text', () => {
  const some: BundledPackage = {
    name: 'some',
    version: '1.0.0',
    license: 'MIT',
    licenseText: 'You may.',
    purl: 'pkg:npm/some@1.0.0',
    uses: [],
  }
  const other = { ...some, name: 'other', licenseText: '' }
  expect(() => renderNotices([some, other], 'relt')).toThrow('no license text of other')
  expect(renderNotices([some, { ...other, licenseText: 'You may.' }], 'relt')).toBe(
    `relt\n\n${'-'.repeat(80)}\nsome 1.0.0 (MIT)\nother 1.0.0 (MIT)\n\nYou may.\n`,
  )
})

describe('the SBOM', () => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)

  test('is a CycloneDX 1.6 document', async () => {
    for (const [title, { packages, uses }] of contents()) {
      expect(await validator.validate(JSON.stringify(makeSbom(packages, uses))), title).toBeNull()
    }
    const { packages, uses } = listBundled([metafile])
    const wrong = { ...makeSbom(packages, uses), bomFormat: 'other' }
    expect(await validator.validate(JSON.stringify(wrong))).not.toBeNull()
  })

  test('has a hash for each package of the registry, and names nothing twice', () => {
    for (const [, { packages, uses }] of contents()) {
      const { components, dependencies } = makeSbom(packages, uses) as Sbom
      const refs = components.map((component) => component['bom-ref'])
      expect(new Set(refs).size).toBe(refs.length)
      for (const { purl, externalReferences = [] } of components) {
        if (!purl.startsWith('pkg:npm/')) continue
        const [archive] = externalReferences.filter(({ type }) => type === 'distribution')
        expect(archive?.hashes?.[0]?.content, purl).toMatch(/^[0-9a-f]{128}$/)
      }
      const known = new Set(dependencies.map(({ ref }) => ref))
      for (const { dependsOn } of dependencies) for (const ref of dependsOn) expect(known).toContain(ref)
      // Each package is there because something uses it.
      const used = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn))
      expect(refs.filter((ref) => !used.has(ref))).toEqual([])
    }
  })
})

interface Sbom {
  components: {
    'bom-ref': string
    name: string
    version: string
    cpe?: string
    purl: string
    externalReferences?: { type: string; hashes?: { content: string }[] }[]
  }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}
