import { readFileSync } from 'node:fs'
import { sbomFile } from '../bundled/write.ts'
import { type Artifact, addArtifact, type Release } from './release-folder.ts'

/** What of a CycloneDX document is used here. */
export interface Sbom {
  metadata: { component: { 'bom-ref': string; hashes?: { alg: string; content: string }[] } }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

export interface Component {
  type: string
  'bom-ref': string
  name: string
  version: string
  purl: string
  hashes?: { alg: string; content: string }[]
}

/** The bill of materials that a build left in this folder. */
export const readSbom = (folder: string): Sbom => JSON.parse(readFileSync(`${folder}/${sbomFile}`, 'utf8'))

/** The same for a form that also holds other components. */
export function sbomWith(sbom: Sbom, added: Component[]): Sbom {
  const [own, ...others] = sbom.dependencies
  return {
    ...sbom,
    components: [...sbom.components, ...added],
    dependencies: [
      { ref: own!.ref, dependsOn: [...own!.dependsOn, ...added.map((each) => each['bom-ref'])].sort() },
      ...others,
      ...added.map((each) => ({ ref: each['bom-ref'], dependsOn: [] })),
    ],
  }
}

/** Adds `FILE.cdx.json`, which names the checksum of the file that it is about. */
export function addSbom(release: Release, { file, sha256 }: Artifact, sbom: Sbom): void {
  const component = { ...sbom.metadata.component, hashes: [{ alg: 'SHA-256', content: sha256 }] }
  const document = { ...sbom, metadata: { ...sbom.metadata, component } }
  addArtifact(release, { form: 'sbom', file: `${file}.cdx.json`, data: `${JSON.stringify(document)}\n` })
}
