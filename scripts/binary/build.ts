/** The single executable `dist/relt`: Node itself with relt, its keychain addon and its examples inside. */
import { isAscii } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { inject } from 'postject'
import { buildProgram } from '../build-program.ts'
import { bundleOptions, packedCatalog } from '../bundle-options.ts'
import { noticesFile, sbomFile, writeBundled } from '../bundled/write.ts'
import { packCatalog } from '../catalog/pack.ts'

const work = 'dist/sea'
const examples = ['shop-1.json', 'shop-2.json', 'shop-3.json'].map((name) => `examples/${name}`)

/** The catalog is read when it is needed: as part of the code it would be loaded at every start. */
const catalogAsAssets = packedCatalog((name) => `Buffer.from(require('node:sea').getRawAsset(${name}))`)

/** jq is half as large as all the rest together. */
const jqAsAsset: Plugin = {
  name: 'jq-as-asset',
  setup({ onLoad }) {
    onLoad({ filter: /jq-wasm[\\/]dist[\\/]inline\.[cm]js$/ }, ({ path }) => ({
      contents: `export const loadJq = () =>
        require('jq-wasm').loadJq({ wasmBinary: new Uint8Array(require('node:sea').getRawAsset('jq.wasm')) })`,
      resolveDir: dirname(path),
    }))
  },
}

rmSync(work, { recursive: true, force: true })
mkdirSync(work, { recursive: true })
const catalog = await packCatalog(work)

const program = await buildProgram({
  outdir: `${work}/program`,
  plugins: [catalogAsAssets, jqAsAsset],
  // Tells that there are no files.
  moduleUrl: '',
})
const { metafile: boot } = await build({
  ...bundleOptions,
  ...{ metafile: true, format: 'cjs', entryPoints: ['scripts/binary/boot.ts'], outfile: `${work}/boot.cjs` },
})
writeBundled(work, [program, boot], { addon: relative('.', dirname(keyringAddon())) })

const chunks = readdirSync(`${work}/program/chunks`).map((name) => `${work}/program/chunks/${name}`)
const assets: Record<string, string> = {
  'keyring.node': keyringAddon(),
  'jq.wasm': createRequire(import.meta.url).resolve('jq-wasm/jq.wasm'),
  ...Object.fromEntries([noticesFile, sbomFile].map((name) => [name, `${work}/${name}`])),
  ...Object.fromEntries([...catalog, ...examples].map((file) => [basename(file), file])),
  ...Object.fromEntries(chunks.map((file) => [basename(file), file])),
}
// Which chunks the common commands load is found by running them.
writeScripts({})
writeScripts(groupChunks(warmUp()))
warmUp()
const scripts = readdirSync(work).filter((name) => /\.(cjs|cache)$/.test(name) && name !== 'boot.cjs')

writeFileSync(
  `${work}/config.json`,
  JSON.stringify({
    main: `${work}/boot.cjs`,
    output: `${work}/relt.blob`,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    useSnapshot: false,
    assets: { ...Object.fromEntries(scripts.map((name) => [name, `${work}/${name}`])), ...assets },
  }),
)
execFileSync(process.execPath, ['--experimental-sea-config', `${work}/config.json`], { stdio: 'inherit' })

const target = `dist/relt${process.platform === 'win32' ? '.exe' : ''}`
copyFileSync(process.execPath, target)
chmodSync(target, 0o755)
await inject(target, 'NODE_SEA_BLOB', readFileSync(`${work}/relt.blob`), {
  sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
  ...(process.platform === 'darwin' && { machoSegmentName: 'NODE_SEA' }),
})

/** Runs common commands, writes the machine code that they needed, and returns the names of the chunks that each read. */
function warmUp(): string[][] {
  execFileSync(process.execPath, ['scripts/binary/warm-up.ts', work, JSON.stringify(assets)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return JSON.parse(readFileSync(`${work}/read.json`, 'utf8'))
}

/** Chunks that the same commands load are one script. That of all commands is `main`. */
function groupChunks(read: string[][]): Record<string, string[]> {
  const groups = Map.groupBy(new Set(read.flat()), (chunk) => {
    const by = read.map((each, index) => (each.includes(chunk) ? `${index}` : ''))
    return by.includes('') ? `group-${by.join('')}` : 'main'
  })
  return Object.fromEntries(groups)
}

/** Writes the scripts. Chunks of no group are scripts of their own. */
function writeScripts({ main = [], ...groups }: Record<string, string[]>): void {
  const fileOf = (name: string) => assets[name]!
  for (const [group, names] of Object.entries(groups)) writeScript(group, `(${functionsOf(names.map(fileOf))})`)
  const groupOf = Object.fromEntries(
    Object.entries(groups).flatMap(([group, names]) => names.map((name) => [name, group])),
  )
  const own = functionsOf([`${work}/program/main.cjs`, ...main.map(fileOf)])
  const run = `(${runProgram})(${own},${JSON.stringify(groupOf)},require)`
  writeScript('main', `(function(_module,_exports,require){${run}})`)
}

function functionsOf(files: string[]): string {
  const entries = files.map((file) => {
    return `${JSON.stringify(basename(file))}:function(module,exports,require){${readFileSync(file, 'utf8')}}`
  })
  return `{${entries.join(',\n')}}`
}

/** Text that is all ASCII is read most quickly, and nobody has to find out at every start that it is. */
function writeScript(name: string, text: string): void {
  if (!isAscii(Buffer.from(text))) {
    throw new Error('the program has letters beyond ASCII: escape them in regular expressions')
  }
  writeFileSync(`${work}/${name}.cjs`, text)
}

type Part = (module: { exports: unknown }, exports: unknown, require: (name: string) => unknown) => void

/** Becomes a part of the main script: loads each chunk once, with the script of its group. */
function runProgram(own: Record<string, Part>, groupOf: Record<string, string>, require: NodeJS.Require): void {
  const loaded: Record<string, { exports: unknown }> = {}
  const readPart = (name: string): Part => {
    const { getAsset, getRawAsset } = require('node:sea') as typeof import('node:sea')
    const { compileFunction, Script } = require('node:vm') as typeof import('node:vm')
    const group = groupOf[name]
    if (group === undefined) {
      return compileFunction(getAsset(name, 'utf8'), ['module', 'exports', 'require'], { filename: name }) as Part
    }
    const asset = (file: string) => Buffer.from(getRawAsset(file) as ArrayBuffer)
    const script = new Script(asset(`${group}.cjs`).toString('latin1'), {
      filename: `${group}.cjs`,
      cachedData: asset(`${group}.cache`),
    })
    Object.assign(own, script.runInThisContext())
    return own[name]!
  }
  const requirePart = (id: string): unknown => {
    if (id[0] !== '.') return require(id)
    const name = id.slice(id.lastIndexOf('/') + 1)
    if (!loaded[name]) {
      loaded[name] = { exports: {} }
      ;(own[name] ?? readPart(name))(loaded[name], loaded[name].exports, requirePart)
    }
    return loaded[name].exports
  }
  requirePart('./main.cjs')
}

/** The prebuilt addon for this platform, a package of its own beside the keyring's. */
function keyringAddon(): string {
  const require = createRequire(import.meta.url)
  const scope = dirname(dirname(require.resolve('@napi-rs/keyring')))
  for (const name of readdirSync(scope).filter((entry) => entry.startsWith('keyring-'))) {
    const addon = readdirSync(join(scope, name)).find((file) => file.endsWith('.node'))
    if (addon) return join(scope, name, addon)
  }
  throw new Error('the prebuilt addon of @napi-rs/keyring is not installed')
}
