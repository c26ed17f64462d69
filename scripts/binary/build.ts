/** The single executable `dist/relt`: Node itself with relt, its keychain addon and its examples inside. */
import { isAscii } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { inject } from 'postject'
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

/**
 * Libraries that few commands need. The main script is read as a whole at every start, so these are scripts of their own,
 * read when they are asked for.
 */
const libraries = [
  ...['@hono/node-server', 'hono', 'hono/cookie', 'hono/utils/cookie', 'pino', 'prom-client'],
  ...['@inquirer/prompts', 'ae-cvss-calculator', 'age-encryption', 'croner', 'csv-stringify/sync', 'execa'],
  ...['fast-xml-parser', 'html-to-text', 'nodemailer', 'undici', 'yaml'],
]
const assetOf = (library: string): string => `${library.replaceAll('/', '-')}.cjs`

const librariesAsAssets: Plugin = {
  name: 'libraries-as-assets',
  setup({ onResolve, onLoad }) {
    const names = new Set(libraries)
    onResolve({ filter: /^[@\w]/ }, ({ path, importer }) =>
      names.has(path) && !importer.includes('node_modules') ? { path, namespace: 'library' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'library' }, ({ path }) => ({
      contents: `const source = require('node:sea').getAsset('${assetOf(path)}', 'utf8')
        const script = require('node:vm').compileFunction(source, ['module', 'exports', 'require'], { filename: '${assetOf(path)}' })
        script(module, module.exports, require)`,
    }))
  },
}

mkdirSync(work, { recursive: true })
const catalog = await packCatalog(work)

const options = { ...bundleOptions, metafile: true, format: 'cjs' } as const
const metafiles: Metafile[] = []
for (const library of libraries) {
  const outfile = `${work}/${assetOf(library)}`
  metafiles.push((await build({ ...options, entryPoints: [library], outfile })).metafile)
}
const main = await build({
  ...options,
  entryPoints: ['src/main.ts'],
  outfile: `${work}/main.cjs`,
  define: { ...bundleOptions.define, 'import.meta.url': '""' },
  plugins: [...bundleOptions.plugins, catalogAsAssets, jqAsAsset, librariesAsAssets],
  // A script by itself has no loader of modules.
  supported: { 'dynamic-import': false },
  // It is one function, which the boot script calls.
  banner: { js: '(function(module,exports,require){' },
  footer: { js: '})' },
})
const boot = await build({ ...options, entryPoints: ['scripts/binary/boot.ts'], outfile: `${work}/boot.cjs` })
metafiles.push(main.metafile, boot.metafile)
writeBundled(work, metafiles, { addon: relative('.', dirname(keyringAddon())) })

const assets = {
  'keyring.node': keyringAddon(),
  'jq.wasm': createRequire(import.meta.url).resolve('jq-wasm/jq.wasm'),
  ...Object.fromEntries([noticesFile, sbomFile].map((name) => [name, `${work}/${name}`])),
  ...Object.fromEntries([...catalog, ...examples].map((file) => [basename(file), file])),
  ...Object.fromEntries(libraries.map((library) => [assetOf(library), `${work}/${assetOf(library)}`])),
}
const [program, cache] = [`${work}/main.cjs`, `${work}/main.cache`]
if (!isAscii(readFileSync(program)))
  throw new Error('the program has letters beyond ASCII: escape them in regular expressions')
execFileSync(process.execPath, ['scripts/binary/warm-up.ts', program, cache, JSON.stringify(assets)], {
  stdio: ['ignore', 'ignore', 'inherit'],
})

writeFileSync(
  `${work}/config.json`,
  JSON.stringify({
    main: `${work}/boot.cjs`,
    output: `${work}/relt.blob`,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    useSnapshot: false,
    assets: { 'main.cjs': program, 'main.cache': cache, ...assets },
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
