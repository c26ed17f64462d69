import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type * as z from 'zod/mini'
import { readCatalogSettings } from '../config/catalog.ts'
import type { Env } from '../config/env.ts'
import { OwnProject } from '../contract/catalog.ts'
import { invalidParams, ReltError } from '../errors.ts'
import { ensureCatalog, getCatalogDate } from '../operations/catalog/bundled.ts'
import { findProjects, type NamedRow } from '../operations/catalog/choose-project.ts'
import type { ProjectCoverage } from '../operations/catalog/coverage.ts'
import type { FactsStatus } from '../operations/catalog/facts-status.ts'
import { exportCatalog, type ImportResult, importCatalog } from '../operations/catalog/file.ts'
import type { ImportedAdvisories, ProjectAdvisoryEntry } from '../operations/catalog/own-advisory.ts'
import type { ImportedFacts } from '../operations/catalog/own-facts.ts'
import { addOwnProject, editOwnProject, getOwnProject, removeOwnProject } from '../operations/catalog/own-project.ts'
import { runSync, type SyncResult } from '../operations/catalog/run-sync.ts'
import { type SourceStatus, statusOfSources } from '../operations/catalog/status.ts'
import type { SourceOutcome } from '../operations/catalog/sync-source.ts'
import { openSyncTimes } from '../operations/catalog/sync-times.ts'
import type { Service } from '../service/service.ts'
import { type CatalogProject, listCatalogProjects, setSecretHosts } from '../store/catalog/own-project.ts'
import { checkText } from '../util/check-text.ts'
import { unreadable, unwritable } from '../util/file-error.ts'
import { replaceFile } from '../util/replace-file.ts'
import { formatTimestamp } from '../util/time.ts'

export type { ProjectCoverage } from '../operations/catalog/coverage.ts'
export type { FactSync } from '../operations/catalog/fact-sync.ts'
export type { FactsStatus } from '../operations/catalog/facts-status.ts'
export type { SourceStatus } from '../operations/catalog/status.ts'
export type { AdvisoryLookUps } from '../operations/catalog/sync-advisories.ts'
export type { SourceOutcome } from '../operations/catalog/sync-source.ts'

export type OwnProjectInput = Partial<z.input<typeof OwnProject>>

interface SyncRequest {
  projects: string[]
  /** Unix seconds. */
  since?: number | undefined
  concurrency: number
  isDry: boolean
  /** Cancels the sync; finished sources stay saved. */
  signal: AbortSignal
  onSource?: ((outcome: SourceOutcome, done: number, total: number) => void) | undefined
  /** Progress of advisories, after the sources. */
  onAdvisory?: ((done: number, total: number) => void) | undefined
}

/** An advisory about a project; times are those of the wire. */
export interface AdvisoryView extends Omit<ProjectAdvisoryEntry, 'published_at' | 'modified_at' | 'withdrawn_at'> {
  published_at: string | null
  modified_at: string | null
  withdrawn_at: string | null
}

function viewAdvisory({ published_at, modified_at, withdrawn_at, ...advisory }: ProjectAdvisoryEntry): AdvisoryView {
  const time = (seconds: number | null) => (seconds === null ? null : formatTimestamp(seconds))
  return {
    ...advisory,
    published_at: time(published_at),
    modified_at: time(modified_at),
    withdrawn_at: time(withdrawn_at),
  }
}

/** Administration of a store's catalog by anyone who may write its files. Throws `ReltError`. */
export interface CatalogAdmin {
  sync(wish: SyncRequest): Promise<SyncResult>
  status(projects: string[]): Promise<SourceStatus[]>
  /** A secret goes into the keychain. */
  add(project: OwnProjectInput, secret?: string): Promise<CatalogProject>
  /** Omitted fields do not change. */
  edit(project: string, changes: OwnProjectInput, secret?: string): Promise<CatalogProject>
  find(project: string): Promise<CatalogProject>
  /** Depth and age of the facts about projects. */
  coverage(projects: string[]): Promise<ProjectCoverage[]>
  /** Advisories about projects, or about all, the latest first. */
  advisories(projects: string[]): Promise<AdvisoryView[]>
  /** By any of its ids, for each project that it is about. */
  advisory(id: string): Promise<AdvisoryView[]>
  /** From a file of OSV records, or a folder of such files. */
  importAdvisories(file: string, project: string | undefined): Promise<ImportedAdvisories>
  /** Projects that match a word. */
  candidates(words: string[]): Promise<NamedRow[][]>
  remove(project: string): Promise<void>
  /** Signed, it carries the public key of the store. */
  exportTo(file: string, options?: { sign?: boolean }): Promise<{ bytes: number; publicKey: string | undefined }>
  /**
   * A catalog of another store, or a JSON file of own facts. `signedBy` is the public key that must have signed the file;
   * `true` means the key of this store.
   */
  importFrom(file: string, options?: { signedBy?: string | true }): Promise<ImportResult | { facts: ImportedFacts }>
  /** Age of the facts that no list of releases tells. */
  facts(): Promise<FactsStatus[]>
  /** Public key of the store, made when it is asked for first. */
  signingKey(): Promise<string>
}

export function createCatalogAdmin(
  service: Service,
  { env, folder, record }: { env: Env; folder: string; record: (action: string, subject?: string) => Promise<void> },
): CatalogAdmin {
  const { db, now } = service

  /** The secret is bound to the project's present addresses. After a move, it must be provided again. */
  async function keepSecret({ id, slug, repo_url, helm_chart_repo }: CatalogProject, secret: string | undefined) {
    if (secret === undefined) return
    const { keepSourceSecret } = await import('../config/source-secret.ts')
    const addresses = [repo_url, helm_chart_repo ?? ''].filter((address) => address !== '')
    await keepSourceSecret(env, folder, slug, { secret, addresses })
    const hosts = addresses.flatMap((address) => URL.parse(address)?.host || [])
    await setSecretHosts(db, id, hosts)
  }

  async function findSigningKey() {
    const { signingKeyFor } = await import('../operations/catalog/signature.ts')
    return signingKeyFor(await service.vault())
  }

  return {
    sync: (wish) => runSync(service, { ...wish, env, folder, settings: readCatalogSettings(env) }),
    async status(projects) {
      await ensureCatalog(db, now())
      const settings = readCatalogSettings(env)
      const { hasGithubToken } = await import('../config/source-secret.ts')
      const { githubHosts, eolUrl, osvUrl } = settings
      const hosts = { githubHosts, eolUrl, osvUrl, hasToken: hasGithubToken(env, settings) }
      return statusOfSources(db, { projects, ...hosts, notes: openSyncTimes(folder) })
    },
    async add(input, secret) {
      await ensureCatalog(db, now())
      const project = await addOwnProject(db, check(OwnProject, input), now())
      try {
        await keepSecret(project, secret)
      } catch (error) {
        await removeOwnProject(db, project.slug)
        throw error
      }
      await record('catalog.add', project.slug)
      return project
    },
    async edit(wanted, changes, secret) {
      const known = await getOwnProject(db, wanted)
      const changed = check(OwnProject, { ...known, ...changes })
      await keepSecret({ ...known, ...changed }, secret)
      const project = await editOwnProject(db, known.slug, changed, now())
      await record('catalog.edit', project.slug)
      return project
    },
    find: (wanted) => getOwnProject(db, wanted),
    async coverage(projects) {
      const date = await getCatalogDate(db, now())
      const { coverageOfProjects } = await import('../operations/catalog/coverage.ts')
      return coverageOfProjects(db, projects, date)
    },
    async advisories(projects) {
      await ensureCatalog(db, now())
      const { listAdvisories } = await import('../operations/catalog/own-advisory.ts')
      return (await listAdvisories(db, projects)).map(viewAdvisory)
    },
    async advisory(id) {
      await ensureCatalog(db, now())
      const { findAdvisory } = await import('../operations/catalog/own-advisory.ts')
      return (await findAdvisory(db, id)).map(viewAdvisory)
    },
    async importAdvisories(file, project) {
      const records = await onFile(file, () => readOsvFiles(file))
      await ensureCatalog(db, now())
      const { importAdvisories } = await import('../operations/catalog/own-advisory.ts')
      const imported = await importAdvisories(db, records, project)
      await record('catalog.import-advisories')
      return imported
    },
    async candidates(words) {
      await ensureCatalog(db, now())
      const known = await listCatalogProjects(db)
      return words.map((word) => findProjects(known, word))
    },
    async remove(wanted) {
      const { slug } = await removeOwnProject(db, wanted)
      const { removeSourceSecret } = await import('../config/source-secret.ts')
      await removeSourceSecret(env, folder, slug)
      await record('catalog.remove', slug)
    },
    async exportTo(file, { sign = false } = {}) {
      await ensureCatalog(db, now())
      const key = sign ? await findSigningKey() : undefined
      const bytes = await exportCatalog(db, now(), key)
      try {
        replaceFile(file, bytes, { mode: 0o666, isDurable: true })
      } catch (cause) {
        throw unwritable(file, cause)
      }
      return { bytes: bytes.length, publicKey: key?.publicKey }
    },
    async importFrom(file, { signedBy } = {}) {
      const signer = signedBy === true ? (await findSigningKey()).publicKey : signedBy
      if (signer !== undefined) (await import('../operations/catalog/signature.ts')).readPublicKey(signer)
      const bytes = await onFile(file, () => readFile(file))
      await ensureCatalog(db, now())
      const { importFacts, isFactsFile } = await import('../operations/catalog/own-facts.ts')
      if (isFactsFile(bytes)) {
        if (signer !== undefined) throw new ReltError('usage', 'A file of facts carries no signature.')
        const facts = await importFacts(db, bytes, now())
        await record('catalog.import-facts')
        return { facts }
      }
      const imported = await importCatalog(db, bytes, now(), signer)
      await record('catalog.import')
      return imported
    },
    async facts() {
      const { statusOfFacts } = await import('../operations/catalog/facts-status.ts')
      return statusOfFacts(db, openSyncTimes(folder))
    },
    signingKey: async () => (await findSigningKey()).publicKey,
  }
}

function check<T extends z.ZodMiniType>(shape: T, value: unknown): z.output<T> {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  throw invalidParams(Object.fromEntries(result.error.issues.map(({ path, message }) => [path.join('.'), message])))
}

async function onFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code) throw unreadable(file, cause)
    throw new ReltError('usage', `${file}: ${(cause as Error).message}.`, { cause })
  }
}

/** Records of a file, or of every JSON file below a folder. */
async function readOsvFiles(path: string): Promise<unknown[]> {
  if (!(await stat(path)).isDirectory()) return readOsvFile(path)
  const names = (await readdir(path, { recursive: true })).filter((name) => name.endsWith('.json')).sort()
  if (names.length === 0) throw new Error('there is no JSON file in the folder')
  const all: unknown[] = []
  for (const name of names) all.push(...(await readOsvFile(join(path, name))))
  return all
}

async function readOsvFile(file: string): Promise<unknown[]> {
  const content: unknown = JSON.parse(await readFile(file, 'utf8'))
  checkText(content, 'advisory')
  return Array.isArray(content) ? content : [content]
}
