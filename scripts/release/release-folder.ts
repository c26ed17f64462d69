import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ReleaseOptions } from './release-options.ts'
import type { TargetName } from './targets.ts'

/** What `npm run release` makes, and with what. */
export interface Release extends ReleaseOptions {
  version: string
  /** Sorted by file, because some are made at the same time. */
  artifacts: Artifact[]
  missing: { form: string; reason: string }[]
}

export interface Artifact {
  form: Form
  /** Its name in the folder of the release, which has no folders: as assets of a release, files are beside each other. */
  file: string
  sha256: string
  size: number
  target?: TargetName
}

/** Statements about their provenance are one file for each of these. */
export type Form = 'npm' | 'executable' | 'archive' | 'package' | 'image' | 'chart' | 'installer' | 'reference' | 'sbom'

export const pathIn = ({ out }: Release, file: string): string => join(out, file)

/** Adds a file that is in the folder already, or its content. Throws if another has the same name. */
export function addArtifact(
  release: Release,
  { data, ...artifact }: Pick<Artifact, 'form' | 'file' | 'target'> & { data?: Buffer | string },
): Artifact {
  const { artifacts, out } = release
  const path = pathIn(release, artifact.file)
  if (basename(path) !== artifact.file) throw new Error(`${artifact.file}: a release has no folders`)
  if (artifacts.some(({ file }) => file === artifact.file)) throw new Error(`Two files are called ${artifact.file}`)
  mkdirSync(out, { recursive: true })
  if (data !== undefined) writeFileSync(path, data)
  const added = { ...artifact, sha256: hash('sha256', readFileSync(path)), size: statSync(path).size }
  artifacts.push(added)
  artifacts.sort((a, b) => (a.file < b.file ? -1 : 1))
  return added
}

/** Says that a form cannot be made here; with `--strict` this is an error. */
export function addMissing({ missing, strict }: Release, form: string, reason: string): void {
  if (strict) throw new Error(`${form}: ${reason}`)
  missing.push({ form, reason })
}
