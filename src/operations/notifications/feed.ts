import { randomBytes } from 'node:crypto'
import type { Eol } from '../../contract/eol.ts'
import type { FeedAddress, FeedKind } from '../../contract/feed.ts'
import type { Db } from '../../db/open.ts'
import { runsOlder } from '../../delivery/runs-older.ts'
import { notFound, ReltError } from '../../errors.ts'
import { bundledCycles } from '../../lifecycle/bundled.ts'
import { kubernetesSupport } from '../../lifecycle/kubernetes-support.ts'
import type { User } from '../../store/accounts/user.ts'
import { findCycles } from '../../store/catalog/cycle.ts'
import { findProjectNames, listProjectSlugs } from '../../store/catalog/project.ts'
import { listClusterFigures, newestOf, providerOf } from '../../store/fleet/figures.ts'
import { type FoundFeed, findFeed, insertFeed, touchFeed } from '../../store/notifications/feed.ts'
import { findCluster } from '../../store/runs/cluster.ts'
import { daySeconds, formatTimestamp, parseTimestamp, type UnixSeconds } from '../../util/time.ts'
import { makerFor } from '../accounts/maker.ts'
import { boundUser, isTag, tagOfFeed } from '../accounts/tags.ts'
import { findRunningFor } from '../fleet/running-of-owners.ts'
import type { Vault } from '../keys/vault.ts'
import type { NotificationStore } from './outbox.ts'

interface WantedFeed {
  kind: FeedKind
  userId: number
  ownerId: number
  clusterName?: string | undefined
  environment?: string | undefined
  /** The creator. The feed expires with the creator's API key. */
  by: User
}

export const feedExtension: Record<FeedKind, 'atom' | 'ics'> = { releases: 'atom', changes: 'atom', support: 'ics' }

/** Throws `not_found` if the owner does not have the cluster. */
export async function createFeed(
  trx: Db,
  vault: Vault,
  { kind, userId, ownerId, clusterName: name, environment, by }: WantedFeed,
  now: UnixSeconds,
): Promise<{ path: string; item: FeedAddress }> {
  const cluster = kind === 'changes' ? await findCluster(trx, { ownerId, name, environment }) : undefined
  if (kind === 'changes' && !cluster) throw noCluster(name, environment)
  const token = randomBytes(32).toString('base64url')
  const grant = {
    tokenHash: toHash(vault, token),
    userId,
    ownerId,
    clusterId: cluster?.id ?? null,
    kind,
    expiresAt: by.key?.expiresAt ?? null,
  }
  const publicId = `feed_${randomBytes(8).toString('hex')}`
  const item = await insertFeed(trx, {
    ...grant,
    publicId,
    createdAt: now,
    tag: tagOfFeed(vault, grant),
    madeBy: makerFor(by),
  })
  return { path: `/feeds/${token}.${feedExtension[kind]}`, item }
}

function noCluster(name: string | undefined, environment: string | undefined): ReltError {
  const named = name === undefined ? '' : ` named "${name}"`
  const where = environment === undefined ? '' : ` in the environment ${environment}`
  return named || where ? new ReltError('not_found', `No cluster${named}${where}.`) : notFound('cluster')
}

const toHash = (vault: Vault, token: string) => vault.keyedHash('feed', token)

const hourSeconds = 3600

/** The feed with this secret; undefined if it was revoked. Last use is updated hourly. */
export async function openFeed(
  service: NotificationStore,
  token: string,
  now: UnixSeconds,
): Promise<FoundFeed | undefined> {
  if (!/^[\w-]{43}$/.test(token)) return undefined
  const keys = await service.vault()
  const tokenHash = toHash(keys, token)
  const found = await findFeed(service.db, tokenHash)
  if (!found || (found.expiresAt !== null && found.expiresAt <= now)) return undefined
  if (!isTag(tagOfFeed(keys, { ...found, tokenHash, userId: found.user.id }), found.tag)) return undefined
  if (found.lastUsedAt === null || now - found.lastUsedAt >= hourSeconds) {
    touchFeed(service.db, found.id, now).catch(() => {})
  }
  return { ...found, user: boundUser(keys, found.user, found.roleTag) }
}

export interface SupportEnd {
  /** Id of the project, or `kubernetes`. */
  project: number | 'kubernetes'
  name: string
  /** Release cycle, such as `1.33`. */
  line: string
  /** The last day of support, `YYYY-MM-DD`. */
  date: string
  /** For Kubernetes: whose support it is. */
  support?: Pick<Eol, 'by' | 'extended_until'>
  /** Clusters where it runs: `prod-eu (prod)`. */
  clusters: string[]
}

const [pastDays, comingDays] = [90, 730]

/** Support ends of running artifacts in the owner's clusters, from recent ones on, in order. */
export async function listSupportEnds(
  service: NotificationStore,
  ownerId: number,
  now: UnixSeconds,
): Promise<SupportEnd[]> {
  const { db } = service
  const today = formatTimestamp(now).slice(0, 10)
  const isNear = (date: string) => {
    const end = parseTimestamp(date) ?? 0
    return end >= now - pastDays * daySeconds && end <= now + comingDays * daySeconds
  }
  const projects = (await listProjectSlugs(db)).filter(({ slug }) => slug !== 'kubernetes')
  const ids = projects.map(({ id }) => id)
  const fetched = await findCycles(db, ids)
  const ends = projects.flatMap(({ id, slug }) =>
    (fetched.get(id) ?? bundledCycles(slug, today)).flatMap(({ cycle: line, eol }) =>
      typeof eol === 'string' && isNear(eol) ? [{ projectId: id, line, date: eol }] : [],
    ),
  )
  const projectIds = new Set(ends.map(({ projectId }) => projectId))
  const running = await findRunningFor(service, { ownerIds: [ownerId], projectIds }, now)
  const names = await findProjectNames(db, [...projectIds])
  const about = { id: 0, type: 'support.ends', at: now, ownerId: null, cluster: null } as const
  const found = ends.flatMap(({ projectId, line, date }): SupportEnd[] => {
    const event = { ...about, projectId, data: { line } }
    const clusters = runsOlder(event, { ownerIds: new Set([ownerId]) }, running)
    const places = clusters.map(({ cluster, environment }) => `${cluster} (${environment})`)
    return places.length > 0
      ? [{ project: projectId, name: names.get(projectId)?.name ?? 'unknown', line, date, clusters: places }]
      : []
  })
  const all = [...found, ...(await kubernetesEnds(db, ownerId, now)).filter(({ date }) => isNear(date))]
  return all.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : a.name < b.name ? -1 : 1))
}

async function kubernetesEnds(db: Db, ownerId: number, now: UnixSeconds): Promise<SupportEnd[]> {
  const today = formatTimestamp(now).slice(0, 10)
  const byLine = new Map<string, SupportEnd>()
  for (const { name, environment, scanners } of await listClusterFigures(db, { ownerId }, now)) {
    const version = newestOf(scanners, ({ kubernetesVersion }) => kubernetesVersion)
    const provider = providerOf(scanners)
    const { eol } = kubernetesSupport({ version, provider, today })
    if (!eol?.date) continue
    const { cycle: line, date, by, extended_until } = eol
    const support = { by, extended_until }
    const key = `${by} ${line} ${date}`
    const end = byLine.get(key) ?? { project: 'kubernetes', name: 'Kubernetes', line, date, support, clusters: [] }
    end.clusters.push(`${name} (${environment})`)
    byLine.set(key, end)
  }
  return [...byLine.values()]
}
