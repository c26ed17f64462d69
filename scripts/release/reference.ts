import { cliDocs } from '../cli-docs.ts'
import { jsonDocs } from '../json-docs.ts'
import { addArtifact, type Release } from './release-folder.ts'

/** Adds the lists of all commands and of all shapes of JSON, as this version has them. */
export async function addReference(release: Release): Promise<void> {
  addArtifact(release, { form: 'reference', file: 'cli.md', data: await cliDocs() })
  addArtifact(release, { form: 'reference', file: 'json.md', data: jsonDocs() })
}
