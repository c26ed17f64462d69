import { readFileSync } from 'node:fs'
import { type BundledPackage, readPackage } from './packages.ts'

const licenseFile = (name: string): string => readFileSync(`licenses/${name}.txt`, 'utf8').trim()

const oniguruma = 'pkg:github/kkos/oniguruma'

/** What is compiled into the WebAssembly of jq-wasm, whose own license says nothing of it. */
export function jqPackages(jqWasm: BundledPackage): BundledPackage[] {
  const version = /jq-([\d.]+)$/.exec(jqWasm.version ?? '')?.[1]
  return [
    {
      name: 'jq',
      version,
      license: 'MIT',
      licenseText: licenseFile('jq'),
      purl: `pkg:github/jqlang/jq@jq-${version}`,
      homepage: 'https://jqlang.org',
      uses: [oniguruma],
    },
    {
      name: 'oniguruma',
      version: undefined,
      license: 'BSD-2-Clause',
      licenseText: licenseFile('oniguruma'),
      purl: oniguruma,
      homepage: 'https://github.com/kkos/oniguruma',
      uses: [],
    },
  ]
}

/** Node with SQLite in it. The executable holds Node as a whole, with all of its libraries and their licenses. */
export function nodePackages({ isInside }: { isInside: boolean }): BundledPackage[] {
  const { node, sqlite, ...libraries } = process.versions
  const major = node.split('.')[0]
  const text = licenseFile('node')
  if (major !== '24') throw new Error(`licenses/node.txt is of Node 24, and this is Node ${node}`)
  const ownText = text.slice(0, text.indexOf('The Node.js license applies to all parts')).trim()
  const inside = isInside ? Object.entries(libraries).filter(([name, version]) => version && isLibrary(name)) : []
  return [
    {
      name: 'node',
      version: node,
      license: 'MIT',
      licenseText: isInside ? text : ownText,
      purl: toPurl('node', node),
      homepage: 'https://nodejs.org',
      uses: [toPurl('sqlite', sqlite), ...inside.map(([name, version]) => toPurl(name, version))],
    },
    {
      name: 'sqlite',
      version: sqlite,
      license: 'blessing',
      licenseText: 'SQLite is in the public domain: https://sqlite.org/copyright.html',
      purl: toPurl('sqlite', sqlite),
      homepage: 'https://sqlite.org',
      uses: [],
    },
    ...inside.map(([name, version]) => ({
      name,
      version,
      license: '',
      licenseText: 'The license is among those of Node.',
      purl: toPurl(name, version),
      uses: [],
    })),
  ]
}

const toPurl = (name: string, version = ''): string => `pkg:generic/${name}@${version}`

/** `modules` and `napi` count interfaces; the others are data that comes with ICU. */
const isLibrary = (name: string): boolean => !['modules', 'napi', 'cldr', 'tz', 'unicode'].includes(name)

/**
 * The keychain. npm installs its package beside ours. The executable holds the addon of one platform, from a package of
 * its own, whose license is in the one that loads it.
 */
export function keyringPackages(addon: string | undefined): BundledPackage[] {
  const keyring = readPackage('node_modules/@napi-rs/keyring')
  if (addon === undefined) return [keyring]
  const platform = readPackage(addon)
  const licenseText = `${keyring.licenseText}\n\n${platform.licenseText}`
  return [{ ...platform, license: platform.license || keyring.license, licenseText }]
}
