import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { inject } from 'postject'
import { noticesFile, sbomFile, writeBundled } from '../bundled/write.ts'
import type { Bundle } from './bundle.ts'
import { signMachO } from './sign-macho.ts'
import { stripElf } from './strip-elf.ts'
import { stripMachO } from './strip-macho.ts'

export interface ExecutableOptions {
  /** `process.platform` of the machine that runs it. */
  platform: string
  /** Node for that machine, of the same version as this one. */
  node: string
  /** The keychain's addon for that machine, inside the package that it comes from. */
  addon: string
  /** Receives the notices, the SBOM and the blob. */
  folder: string
  output: string
}

/** Writes an executable: Node itself with relt, its keychain addon and its examples inside. */
export async function writeExecutable(bundle: Bundle, options: ExecutableOptions): Promise<void> {
  const { platform, node, output } = options
  const program = readFileSync(node)
  const isHere = program.equals(readFileSync(process.execPath))
  const strip = { linux: stripElf, darwin: stripMachO }[platform]
  writeFileSync(output, strip ? strip(program) : program)
  chmodSync(output, 0o755)
  await inject(output, 'NODE_SEA_BLOB', readFileSync(writeBlob(bundle, options, isHere)), {
    sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
    ...(platform === 'darwin' && { machoSegmentName: 'NODE_SEA' }),
  })
  if (platform === 'darwin') writeFileSync(output, signMachO(readFileSync(output), 'relt'))
}

/** V8 loads its code caches only on the platform that made them. */
function writeBlob(bundle: Bundle, { addon, folder }: ExecutableOptions, isHere: boolean): string {
  mkdirSync(folder, { recursive: true })
  writeBundled(folder, bundle.metafiles, { addon: relative('.', dirname(addon)) })
  const blob = `${folder}/relt.blob`
  const config = {
    main: `${bundle.work}/boot.cjs`,
    output: blob,
    disableExperimentalSEAWarning: true,
    // Whoever sets `NODE_OPTIONS` would have code of theirs run with the keys of relt.
    execArgvExtension: 'none',
    useCodeCache: isHere,
    useSnapshot: false,
    assets: {
      ...(isHere ? bundle.assets : bundle.assetsElsewhere),
      'keyring.node': addon,
      ...Object.fromEntries([noticesFile, sbomFile].map((name) => [name, `${folder}/${name}`])),
    },
  }
  writeFileSync(`${folder}/config.json`, JSON.stringify(config))
  execFileSync(process.execPath, ['--predictable', '--experimental-sea-config', `${folder}/config.json`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return blob
}
