import type { BuildOptions, Plugin } from 'esbuild'
import { programHelp } from './command-tree.ts'

/** commander can start commands that are executables of their own. We have none, and loading the module costs 2 ms. */
const noChildProcessInCommander: Plugin = {
  name: 'no-child-process-in-commander',
  setup(build) {
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path: 'child-process', namespace: 'empty' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {}' }))
  },
}

/** undici asks node:http for two names, and node:http2 for what we turn off; loading both costs 15 ms. */
const noHttpInUndici: Plugin = {
  name: 'no-http-in-undici',
  setup(build) {
    build.onResolve({ filter: /^node:http2?$/ }, ({ importer, path }) =>
      /[\\/]undici[\\/]/.test(importer) ? { path, namespace: 'no-http' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'no-http' }, () => ({
      contents: 'module.exports = { maxHeaderSize: 16384, IncomingMessage: class {}, constants: {} }',
    }))
  },
}

/** What the npm package and the single executable are bundled with alike. */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  minify: true,
  keepNames: true,
  // A native addon stays a package of its own.
  external: ['@napi-rs/keyring'],
  define: { RELT_HELP: JSON.stringify(await programHelp()) },
  plugins: [noChildProcessInCommander, noHttpInUndici],
  logLevel: 'warning',
} satisfies BuildOptions
