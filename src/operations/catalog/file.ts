import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { FiledBundle, FiledCatalog, type FiledProject, FileHeader } from '../../contract/catalog.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'
import { listSourcedAdvisories, saveAdvisoriesFor } from '../../store/catalog/catalog-advisory.ts'
import { saveCollected } from '../../store/catalog/collected-release.ts'
import { findCycles, saveCycles } from '../../store/catalog/cycle.ts'
import { listCatalogFileReleases } from '../../store/catalog/file-release.ts'
import { insertOwnProject, listCatalogProjects } from '../../store/catalog/own-project.ts'
import { saveCompleteness } from '../../store/catalog/project.ts'
import {
  listAnswerTimes,
  listFiledSources,
  listTrackedProjects,
  saveAnswerTime,
  saveFiledSources,
} from '../../store/catalog/source.ts'
import { checkText } from '../../util/check-text.ts'
import { isObject } from '../../util/json.ts'
import { formatTimestamp } from '../../util/time.ts'
import { installBundle } from './bundled.ts'
import { updateKnownSecurity } from './known-security.ts'
import { hasValidSignature, type SigningKey } from './signature.ts'

const maxBytes = 512 * 1024 * 1024

/**
 * Exports the catalog as one file: gzip of two lines, a header and the catalog, whose hash is in the header. With a key, the
 * header is signed.
 */
export async function exportCatalog(db: Db, now: number, key?: SigningKey) {
  const known = await listCatalogProjects(db)
  const releases = await listCatalogFileReleases(db)
  const cycles = await findCycles(
    db,
    known.map(({ id }) => id),
  )
  const sources = await listFiledSources(db)
  const advisories = await listSourcedAdvisories(db)
  const answered = await listAnswerTimes(db, 'osv')
  const tracked = new Map((await listTrackedProjects(db)).map((project) => [project.id, project]))
  const projects = known.map(({ id, origin: _, ...project }) => ({
    ...project,
    complete_since: tracked.get(id)?.completeSince ?? null,
    osv_answered_at: answered.get(id) ?? null,
    advisories: (advisories.get(id) ?? []).filter(({ source }) => source !== 'bundled'),
    releases: releases.get(id) ?? [],
    cycles: cycles.get(id) ?? [],
    sources: sources.get(id) ?? [],
  }))
  return packFile({ projects }, now, key)
}

/** Packs a catalog or a bundle into a file. */
export function packFile(content: object, now: number, key?: SigningKey) {
  const catalog = JSON.stringify(content)
  const sha256 = hash('sha256', catalog)
  const named = { format: 'relt-catalog', version: 1, exported_at: formatTimestamp(now), sha256 }
  return promisify(gzip)(`${JSON.stringify({ ...named, signature: key?.sign(named) })}\n${catalog}\n`)
}

interface Trust {
  /** Public key that must have signed the file. */
  signer?: string | undefined
  /** Public key that must have signed a bundle, whose facts are not checked. */
  publisher?: string | undefined
  /** Most bytes of the unpacked file. */
  mostBytes?: number
}

/**
 * Imports a file completely or not at all; idempotent. Known projects keep their fields, because a file must not redirect a
 * secret. A bundle replaces the present one, if it is newer. Throws `invalid_json` for a truncated, foreign or wrongly signed
 * file. `signedBy`: public key of the store that signed the file; undefined if it is unsigned.
 */
export async function importCatalog(db: Db, file: Uint8Array, now: number, trust: Trust = {}) {
  const { signedBy, ...read } = await readFile(file, trust)
  if ('projects' in read) return importProjects(db, read.projects, { now, signedBy })
  try {
    return { ...(await installBundle(db, read.bundle, now)), signedBy }
  } catch (cause) {
    if (cause instanceof TypeError) throw broken('Its facts are of a form that this relt does not read.')
    throw cause
  }
}

function importProjects(
  db: Db,
  projects: FiledProject[],
  { now, signedBy }: { now: number; signedBy: string | undefined },
) {
  return write(db, 'catalog', async (trx) => {
    const known = new Map((await listCatalogProjects(trx)).map(({ slug, id }) => [slug, id]))
    const asked = await listAnswerTimes(trx, 'eol')
    const answered = await listAnswerTimes(trx, 'osv')
    const imported = { projects: { added: 0, known: 0 }, releases: { added: 0, updated: 0 }, signedBy }
    for (const project of projects) {
      const id = known.get(project.slug) ?? (await insertOwnProject(trx, { ...project, origin: 'import' }, now))
      imported.projects[known.has(project.slug) ? 'known' : 'added']++
      known.set(project.slug, id)
      const { added, updated } = await saveCollected(trx, id, project.releases.map(toCollected), now)
      await importFacts(trx, id, project, { added, answeredAt: answered.get(id), now })
      imported.releases.added += added
      imported.releases.updated += updated
      const sources = project.sources.map((source) => ({ ...source, answered_at: Math.min(source.answered_at, now) }))
      await saveFiledSources(trx, id, sources)
      // Cycles that this store fetched from endoflife.date are at least as new.
      if (project.cycles.length > 0 && !asked.has(id)) await saveCycles(trx, id, project.cycles)
    }
    return imported
  })
}

/** Imports advisories that another store fetched later. Does not write unchanged ones. */
async function importFacts(
  trx: Db,
  id: number,
  project: FiledProject,
  { added, answeredAt, now }: { added: number; answeredAt: number | undefined; now: number },
) {
  const { advisories, osv_answered_at: statedAt, complete_since: since } = project
  // The file contains all releases since then; with them, the history is as complete as in the other store.
  if (added > 0) await saveCompleteness(trx, id, { since, basis: since && 'an imported catalog' })
  const of = (wanted: string) => advisories.filter(({ source }) => source === wanted)
  const isLater = statedAt !== null && (answeredAt === undefined || statedAt > answeredAt)
  if (isLater) {
    await saveAdvisoriesFor(trx, id, 'osv', of('osv'))
    await saveAnswerTime(trx, { projectId: id, kind: 'osv', answeredAt: Math.min(statedAt, now) })
  }
  const ofGithub = of('github')
  const known = (await listSourcedAdvisories(trx, [id])).get(id) ?? []
  // Facts that this store read from GitHub itself are at least as new.
  const takesGithub = ofGithub.length > 0 && !known.some(({ source }) => source === 'github')
  if (takesGithub) await saveAdvisoriesFor(trx, id, 'github', ofGithub)
  if (isLater || takesGithub) await updateKnownSecurity(trx, { id, tagPattern: project.tag_pattern })
}

async function readFile(file: Uint8Array, { signer, publisher, mostBytes }: Trust) {
  const bytes = await unzip(file, mostBytes)
  const end = bytes.indexOf(0x0a)
  const header = FileHeader.safeParse(parse(bytes.subarray(0, end === -1 ? 0 : Math.min(end, 10_000))))
  if (!header.success) throw broken('It is not a catalog that this relt can read.')
  const catalog = bytes.subarray(end + 1, bytes.at(-1) === 0x0a ? -1 : undefined)
  if (hash('sha256', catalog) !== header.data.sha256) throw broken('Its content is not what its hash says.')
  checkSignature(header.data, signer)
  const content = parse(catalog)
  checkText(content, 'catalog')
  const isBundle = isObject(content) && 'bundle' in content
  if (isBundle && signer === undefined) {
    const hint = 'Name the key of its publisher: relt catalog import FILE --require-signature ed25519:...'
    if (publisher === undefined) throw broken('relt trusts no publisher of bundles.', hint)
    checkSignature(header.data, publisher)
  }
  const parsed = (isBundle ? FiledBundle : FiledCatalog).safeParse(content)
  if (parsed.success) return { ...parsed.data, signedBy: header.data.signature?.public_key }
  const { path, message } = parsed.error.issues[0]!
  throw broken(`${path.join('.')}: ${message}`)
}

function checkSignature(header: FileHeader, signer: string | undefined) {
  const { signature } = header
  if (signature && !hasValidSignature(header, signature)) throw broken('Its signature is not valid.')
  if (signer === undefined) return
  if (!signature) throw broken('It is not signed.', 'Export it with a signature: relt catalog export FILE --sign')
  if (signature.public_key !== signer) {
    throw broken(
      `It is signed by ${signature.public_key}, and not by ${signer}.`,
      'Check which store or publisher it comes from.',
    )
  }
}

async function unzip(file: Uint8Array, maxOutputLength = maxBytes) {
  try {
    return await promisify(gunzip)(file, { maxOutputLength })
  } catch {
    throw broken('It is not a complete gzip file, or it is too large.')
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}

function broken(what: string, hint = 'Get it again, and whole, from its publisher or from relt catalog export FILE.') {
  return new ReltError('invalid_json', `The file is not imported. ${what}`, { hint })
}

function toCollected(release: FiledProject['releases'][number]) {
  const { has_security_fix: hasFix, security_severity: severity, security_summary, cve_list: ids } = release
  const security = {
    hasFix,
    ids,
    severity,
    links: release.cve_links,
    ...(security_summary && { summary: security_summary }),
  }
  return {
    type: release.type,
    chartName: release.chart_name,
    version: release.version,
    appVersion: release.app_version,
    kubeVersion: release.kube_version,
    publishedAt: release.published_at,
    url: release.url,
    notes: release.release_notes,
    security,
  }
}
