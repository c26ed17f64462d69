import { isDeepStrictEqual } from 'node:util'
import { fetchExcluded } from '../../collectors/channels/index.ts'
import { fetchExploited } from '../../collectors/exploited/index.ts'
import type { FactListOutcome } from '../../collectors/fact-list.ts'
import type { Http } from '../../collectors/http.ts'
import { fetchRanges } from '../../collectors/ranges/index.ts'
import type { SourceState } from '../../collectors/source-state.ts'
import type { CatalogSettings } from '../../config/catalog.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import {
  findStateFacts,
  type RangeFileName,
  type StateFactKind,
  type StoredStateFacts,
  saveStateFacts,
} from '../../store/facts/state-fact.ts'
import { daySeconds, formatDay } from '../../util/time.ts'
import { findBundle } from '../facts/bundle.ts'
import { findFacts } from '../facts/state-facts.ts'
import { type FactSync, factsKey, mostDays } from './fact-sync.ts'
import { markFaults } from './release-faults.ts'
import type { SyncTimes } from './sync-times.ts'

interface ListMeans {
  http: Http
  /** Unix seconds. */
  now: () => number
  notes: SyncTimes
}

/** A list of facts that one URL serves as a whole. */
interface FactList {
  source: 'kev' | 'k3s' | 'rke2' | RangeFileName
  kind: StateFactKind
  url: string | undefined
  fetch: (http: Http, url: string, state: SourceState) => Promise<FactListOutcome>
}

/**
 * Fetches lists that one URL serves as a whole: exploited vulnerabilities, releases kept out of channels, Kubernetes version
 * ranges.
 */
export async function syncLists(
  db: Db,
  settings: Pick<CatalogSettings, 'exploitedUrl' | 'channelsUrl'>,
  means: ListMeans,
): Promise<FactSync[]> {
  const { exploitedUrl, channelsUrl } = settings
  const { rangeFilesOf } = await import('../../catalog/range-sources.ts')
  const rangeFiles = rangeFilesOf(await findBundle(db))
  const channels = (source: 'k3s' | 'rke2', path: string): FactList => ({
    source,
    kind: 'fault',
    url: channelsUrl && `${channelsUrl}/${path}`,
    fetch: (http, url, state) => fetchExcluded(http, url, { state, distribution: source }),
  })
  const lists: FactList[] = [
    { source: 'kev', kind: 'exploited', url: exploitedUrl, fetch: fetchExploited },
    channels('k3s', 'k3s-io/k3s/HEAD/channel.yaml'),
    channels('rke2', 'rancher/rke2/HEAD/channels.yaml'),
    ...rangeFiles.map(
      (file): FactList => ({
        source: file.at as RangeFileName,
        kind: 'compatibility',
        url: channelsUrl && `${channelsUrl}/${file.at}`,
        fetch: (http, url, state) => fetchRanges(http, file, { url, state, day: formatDay(means.now()) }),
      }),
    ),
  ]
  const synced = await Promise.all(lists.map((list) => syncList(db, list, means)))
  return synced.filter((one) => one !== undefined)
}

async function syncList(db: Db, list: FactList, means: ListMeans) {
  const { source, kind, url } = list
  if (url === undefined) return undefined
  const known = await findStateFacts(db, source, kind)
  const isSameAddress = known?.state.url === url
  const found = await list.fetch(means.http, url, isSameAddress ? known.state : {})
  if (found.kind === 'unreachable') return toView(list, { outcome: found.kind, reason: found.reason, known })
  const answeredAt = means.now()
  const state = { ...(found.state as Record<string, string>), url }
  const isChanged = found.kind === 'changed'
  const saved: StoredStateFacts = {
    source,
    kind,
    answeredAt,
    state,
    facts: isChanged ? found.facts : (known?.facts ?? []),
    asOf: isChanged ? found.asOf : (known?.asOf ?? null),
  }
  const isRecent = answeredAt - (known?.answeredAt ?? 0) < mostDays * daySeconds
  if (known && !isChanged && isRecent && isDeepStrictEqual(known.state, state)) {
    means.notes.note([{ slug: factsKey, kind: source }], answeredAt)
  } else await save(db, saved, isChanged)
  return toView(list, { outcome: found.kind, reason: null, known: saved })
}

async function save(db: Db, saved: StoredStateFacts, isChanged: boolean) {
  await write(db, 'catalog', async (trx) => {
    await saveStateFacts(trx, saved)
    if (isChanged && saved.kind === 'fault') await markFaults(trx, await findFacts(trx))
  })
}

function toView(
  { source, kind }: FactList,
  { outcome, reason, known }: Pick<FactSync, 'outcome' | 'reason'> & { known: StoredStateFacts | undefined },
): FactSync {
  const { asOf = null, answeredAt = null, facts = [] } = known ?? {}
  // A list without a day of its own has that of its last answer.
  const as_of = asOf ?? (answeredAt === null ? null : formatDay(answeredAt))
  return { source, kind, outcome, reason, facts: facts.length, as_of }
}
