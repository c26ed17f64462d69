import { writeFileSync } from 'node:fs'
import type { Metafile } from 'esbuild'
import { jqPackages, keyringPackages, nodePackages } from './native.ts'
import { renderNotices } from './notices.ts'
import { type BundledPackage, toPackages, usedByUs } from './packages.ts'
import { makeSbom } from './sbom.ts'

export const noticesFile = 'THIRD_PARTY_NOTICES'
export const sbomFile = 'sbom.cdx.json'

/** What is in the npm package, or with the folder of its keychain addon, in the executable. */
export function listBundled(metafiles: Metafile[], { addon }: { addon?: string | undefined } = {}) {
  const packages = toPackages(metafiles)
  const jqWasm = packages.find(({ name }) => name === 'jq-wasm')
  const jq = jqWasm ? jqPackages(jqWasm) : []
  jqWasm?.uses.push(...jq.slice(0, 1).map(({ purl }) => purl))
  const all: BundledPackage[] = [
    ...packages,
    ...jq,
    ...keyringPackages(addon),
    ...nodePackages({ isInside: addon !== undefined }),
  ]
  const natives = all.filter(({ name }) => name.startsWith('@napi-rs/keyring') || name === 'node')
  return { packages: all, uses: [...usedByUs(metafiles), ...natives.map(({ purl }) => purl)] }
}

/** Writes the notices and the SBOM into a folder. Throws for a package without a license text. */
export function writeBundled(folder: string, metafiles: Metafile[], { addon }: { addon?: string } = {}): void {
  const { packages, uses } = listBundled(metafiles, { addon })
  writeFileSync(`${folder}/${noticesFile}`, renderNotices(packages, `${addon ? executable : npmPackage}\n\n${facts}`))
  writeFileSync(`${folder}/${sbomFile}`, `${JSON.stringify(makeSbom(packages, uses))}\n`)
}

const npmPackage = `relt contains the packages below, apart from Node.js with SQLite and @napi-rs/keyring, which are installed beside it.
Of these, the releases that it was built with are listed.`

const executable = 'relt contains the packages below.'

const facts = `Advisory facts from Bitnami Vulnerability Database (Apache-2.0), Go Vulnerability Database and GitHub Advisory
Database (CC BY 4.0), PyPA Advisory Database (CC BY 4.0), the CVE List, CISA Vulnrichment and Anchore NVD data overrides
(CC0), Istio, curl and Node.js projects; ranges selected and merged. https://creativecommons.org/licenses/by/4.0/
Apache License 2.0: https://www.apache.org/licenses/LICENSE-2.0. Bitnami: Copyright Broadcom, Inc.`
