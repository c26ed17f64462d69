/** The single executable `dist/relt` for this machine. */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bundleProgram } from './bundle.ts'
import { writeExecutable } from './executable.ts'

await writeExecutable(await bundleProgram('dist/sea'), {
  platform: process.platform,
  node: process.execPath,
  addon: keyringAddon(),
  folder: 'dist/sea/here',
  output: `dist/relt${process.platform === 'win32' ? '.exe' : ''}`,
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
