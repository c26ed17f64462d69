import { readFile } from 'node:fs/promises'
import type * as z from 'zod/mini'
import { readCatalogSettings } from '../config/catalog.ts'
import type { Env } from '../config/env.ts'
import { OwnProject } from '../contract/catalog.ts'
import { invalidParams, ReltError } from '../errors.ts'
import type { ProjectAdvisoryEntry } from '../operations/catalog/advisories.ts'
import { ensureCatalog, restoreProjects } from '../operations/catalog/bundled.ts'
import { findProjects } from '../operations/catalog/choose-project.ts'
import { exportCatalog, importCatalog } from '../operations/catalog/file.ts'
import { addOwnProject, editOwnProject, getOwnProject, removeOwnProject } from '../operations/catalog/own-project.ts'
import type { PullOptions } from '../operations/catalog/pull.ts'
import type { SyncOptions } from '../operations/catalog/run-sync.ts'
import { statusOfSources } from '../operations/catalog/status.ts'
import { openSyncTimes } from '../operations/catalog/sync-times.ts'
import type { Service } from '../service/service.ts'
import { type CatalogProject, listCatalogProjects, setSecretHosts } from '../store/catalog/own-project.ts'
import { findRemovedProjects } from '../store/catalog/project-sync.ts'
import { unreadable, unwritable } from '../util/file-error.ts'
import { replaceFile } from '../util/replace-file.ts'
import { timestampOrNull } from '../util/time.ts'

export type { FactSync } from '../operations/catalog/fact-sync.ts'
export type { FactsStatus } from '../operations/catalog/facts-status.ts'
export type { SourceStatus } from '../operations/catalog/status.ts'
export type { AdvisoryLookUps } from '../operations/catalog/sync-advisories.ts'
export type { SourceOutcome } from '../operations/catalog/sync-source.ts'

/** Result of importing a catalog file or a bundle. */
export type ImportedCatalog = Awaited<ReturnType<typeof importCatalog>>

export type OwnProjectInput = Partial<z.input<typeof OwnProject>>

export type AdvisoryView = ReturnType<typeof viewAdvisory>

/** An advisory about a project, with times in the API's format. */
function viewAdvisory({ published_at, modified_at, withdrawn_at, ...advisory }: ProjectAdvisoryEntry) {
  return {
    ...advisory,
    published_at: timestampOrNull(published_at),
    modified_at: timestampOrNull(modified_at),
    withdrawn_at: timestampOrNull(withdrawn_at),
  }
}

/** Administration of a store's catalog by anyone who may write its files. Throws `ReltError`. */
export type CatalogAdmin = ReturnType<typeof createCatalogAdmin>

export function createCatalogAdmin(
  service: Service,
  { env, folder }: { env: Env; folder: string },
  record: (action: string, subject?: string) => Promise<void>,
) {
  const { db, now, vault } = service
  const ensureBundled = () => ensureCatalog(db, now())
  return {
    /** The signal cancels the sync; finished sources stay saved. */
    async sync(wish: Omit<SyncOptions, 'env' | 'folder' | 'settings'>) {
      const { runSync } = await import('../operations/catalog/run-sync.ts')
      return runSync(service, { ...wish, env, folder, settings: readCatalogSettings(env) })
    },

    /** Undefined if the publisher has nothing new. */
    async pull(wish: Omit<PullOptions, 'env'>) {
      const { pullCatalog } = await import('../operations/catalog/pull.ts')
      const pulled = await pullCatalog(service, { ...wish, env })
      if (pulled) await record('catalog.pull')
      return pulled
    },

    async status(projects: string[]) {
      await ensureBundled()
      const settings = readCatalogSettings(env)
      const { hasGithubToken } = await import('../config/source-secret.ts')
      const hosts = { ...settings, hasToken: hasGithubToken(env, settings) }
      return statusOfSources(db, { projects, ...hosts, notes: openSyncTimes(folder) })
    },

    /** Stores a secret in the keychain. */
    async add(input: OwnProjectInput, secret?: string) {
      await ensureBundled()
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

    /** Omitted fields do not change. */
    async edit(wanted: string, changes: OwnProjectInput, secret?: string) {
      const known = await getOwnProject(db, wanted)
      const changed = check(OwnProject, { ...known, ...changes })
      await keepSecret({ ...known, ...changed }, secret)
      const project = await editOwnProject(db, known.slug, changed, now())
      await record('catalog.edit', project.slug)
      return project
    },

    find: (wanted: string) => getOwnProject(db, wanted),

    /** Advisories about projects, or about all, latest first. */
    async advisories(projects: string[]) {
      await ensureBundled()
      const { listAdvisories } = await import('../operations/catalog/advisories.ts')
      return (await listAdvisories(db, projects)).map(viewAdvisory)
    },

    /** Finds an advisory by any of its ids, for each project that it affects. */
    async advisory(id: string) {
      await ensureBundled()
      const { findAdvisory } = await import('../operations/catalog/advisories.ts')
      return (await findAdvisory(db, id)).map(viewAdvisory)
    },

    /** Projects that match a word. */
    async candidates(words: string[]) {
      await ensureBundled()
      const known = await listCatalogProjects(db)
      return words.map((word) => findProjects(known, word))
    },

    async remove(wanted: string) {
      const { slug } = await removeOwnProject(db, wanted)
      await (await import('../config/source-secret.ts')).removeSourceSecret(env, folder, slug)
      await record('catalog.remove', slug)
    },

    /** A signed file contains the public key of the store. */
    async exportTo(file: string, { sign = false }: { sign?: boolean } = {}) {
      await ensureBundled()
      const key = sign ? await findSigningKey() : undefined
      const bytes = await exportCatalog(db, now(), key)
      try {
        replaceFile(file, bytes, { mode: 0o666, isDurable: true })
      } catch (cause) {
        throw unwritable(file, cause)
      }
      return { bytes: bytes.length, publicKey: key?.publicKey }
    },

    /**
     * Imports another store's catalog, a bundle, or a JSON file of the operator's own facts. `signedBy` is the public key that must
     * have signed the file; `true` means the key of this store.
     */
    async importFrom(file: string, { signedBy }: { signedBy?: string | true } = {}) {
      const signer = signedBy === true ? (await findSigningKey()).publicKey : signedBy
      if (signer !== undefined) (await import('../operations/catalog/signature.ts')).readPublicKey(signer)
      const bytes = await readFile(file).catch((cause: unknown) => {
        throw unreadable(file, cause)
      })
      await ensureBundled()
      const { importFacts, isFactsFile } = await import('../operations/catalog/own-facts.ts')
      if (isFactsFile(bytes)) {
        if (signer !== undefined) throw new ReltError('usage', 'A file of facts carries no signature.')
        const facts = await importFacts(db, bytes, now())
        await record('catalog.import-facts')
        return { facts }
      }
      const { publisher } = readCatalogSettings(env)
      const imported = await importCatalog(db, bytes, now(), { signer, publisher })
      await record('catalog.import')
      return imported
    },

    /** Bundled projects that a list of projects removed. */
    removed: () => findRemovedProjects(db),

    /** Brings these back, without their subscriptions. */
    async restore() {
      await restoreProjects(db, now())
      await record('catalog.restore')
    },

    /** Age of facts that are not in lists of releases. */
    async facts() {
      return (await import('../operations/catalog/facts-status.ts')).statusOfFacts(db, openSyncTimes(folder))
    },
  }

  /** Created at first use. */
  async function findSigningKey() {
    return (await import('../operations/catalog/signature.ts')).signingKeyFor(await vault())
  }

  /** The secret is bound to the project's current URLs. After a move, it must be provided again. */
  async function keepSecret({ id, slug, repo_url, helm_chart_repo }: CatalogProject, secret: string | undefined) {
    if (secret === undefined) return
    const { keepSourceSecret } = await import('../config/source-secret.ts')
    const addresses = [repo_url, helm_chart_repo ?? ''].filter((address) => address !== '')
    await keepSourceSecret(env, folder, slug, { secret, addresses })
    await setSecretHosts(
      db,
      id,
      addresses.flatMap((address) => URL.parse(address)?.host || []),
    )
  }
}

function check<T extends z.ZodMiniType>(shape: T, value: unknown) {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  throw invalidParams(Object.fromEntries(result.error.issues.map(({ path, message }) => [path.join('.'), message])))
}
