import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ClusterName, parseClusterName } from '../../../config/cluster-name.ts'
import { dataFolder } from '../../../config/env.ts'
import { isLoopback } from '../../../config/server-url.ts'
import { requireStoreAt } from '../../../config/store-place.ts'
import type { Context, NamedServer } from '../../../context.ts'
import { ownAccount } from '../../../contract/choices.ts'
import { ReltError } from '../../../errors.ts'
import { type AccessOptions, describeAccess, findMissingAccess } from '../../../submit/require-access.ts'
import type { Direction, End, Ends } from '../../../transfer/end.ts'
import type { RefuseProfile } from '../../../transfer/profiles.ts'
import type { TransferResult } from '../../../transfer/result.ts'
import { interruptible } from '../../../util/interrupt.ts'
import { withoutStop } from '../../../util/words.ts'
import { orUsage } from '../../input/or-usage.ts'
import { startProgress } from '../../output/progress.ts'
import { openProgressBar } from '../../output/progress-bar.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { collect } from '../scan/options.ts'
import { showSync } from './view.ts'

export const syncOptions = {
  '--with <server>': {
    help: 'the other end: a server by name or URL, or local for the store on this machine',
    required: true,
  },
  '--with-team <name>': 'team at the other end (default: your own account there)',
  '--clusters <names>': 'copy only runs and profiles of these clusters, separated by commas',
  '--data <folder>': 'data folder of the store at this end',
  '--allow-env <name>': {
    help: 'copy profiles of a server that use this environment variable (repeatable)',
    parse: collect,
  },
  '--allow-host <host>': { help: 'copy profiles of a server that contact this host (repeatable)', parse: collect },
  '--allow-context <name>': {
    help: 'copy profiles of a server that scan this context of kubectl (repeatable)',
    parse: collect,
  },
  '--restore': 'copy runs again that were deleted since the last sync',
  '--dry-run': 'show what would be copied',
} as const

type SyncOptions = OptionsOf<typeof syncOptions>

export const syncEpilog = `Exit codes: 0 everything that the ends list and the direction asks for is copied · 1 something
was left out, or differs at the two ends · 7 an end does not answer: run it again to continue`

/** Throws `incomplete` if some items were skipped, or the error that stopped the sync. */
export async function runSync(cli: Cli, directions: Direction[], options: SyncOptions): Promise<void> {
  const { context } = cli
  const clusters = parseClusters(options.clusters)
  const isDry = options.dryRun === true
  const { onProgress, closeProgress } = openSyncProgress(cli)
  const [{ syncEnds }, { Journal }, { patientClient }] = await Promise.all([
    import('../../../transfer/sync.ts'),
    import('../../../transfer/journal.ts'),
    import('../../../transfer/patient-client.ts'),
  ])
  // A missing store cannot be read; opening it would create an empty one.
  if (directions.includes('push')) requireStoreAt(context.env, options.data)
  const ends = await openEnds(context, options)
  const done = await interruptible(async (signal) => {
    const onWait = (seconds: number) => onProgress(`Rate-limited: waiting ${seconds} s`)
    const patient = (one: End): End => ({ ...one, client: patientClient(one.client, { signal, onWait }) })
    const both = { here: patient(ends.here), there: patient(ends.there) }
    const journal = new Journal(dataFolder(context.env), ends)
    const restore = options.restore === true
    const refuseProfile = profileRefusal(context, options)
    const alone = async <T>(work: () => Promise<T>) => {
      if (isDry) return work()
      const lock = await waitForLock(context, {
        signal,
        onWait: () => onProgress('Waiting for another sync'),
      })
      return work().finally(lock.release)
    }
    const given = { directions, clusters, isDry, restore, journal, refuseProfile }
    return syncEnds(both, { ...given, alone, signal, onProgress })
  }).finally(closeProgress)
  if (clusters && !done.failure && isEmpty(done.result)) throw unknownClusters(options.clusters!)
  await showSync(cli, { ...done, ends, directions, isDry })
}

/** A progress bar if the amount is known, else a note. */
function openSyncProgress({ io }: Cli) {
  const bar = openProgressBar(io)
  let end = startProgress(io, 'Comparing')
  const onProgress = (note: string, done?: number, total?: number) => {
    end()
    end = () => {}
    if (done !== undefined && total !== undefined) bar.show(done, total, note)
    else {
      bar.close()
      end = startProgress(io, note)
    }
  }
  const closeProgress = () => {
    end()
    bar.close()
  }
  return { onProgress, closeProgress }
}

const isEmpty = ({ copied, matched, conflicts, left_out, deleted }: TransferResult): boolean =>
  [copied, conflicts, left_out, deleted].every(({ length }) => length === 0) &&
  Object.values(matched).every((many) => many === 0)

const unknownClusters = (names: string): ReltError =>
  new ReltError('not_found', `Neither end has a run or a profile of ${names}.`, {
    hint: 'List the clusters: relt clusters list',
  })

async function waitForLock(context: Context, { signal, onWait }: { signal: AbortSignal; onWait: () => void }) {
  const file = join(dataFolder(context.env), 'sync', 'lock.db')
  for (let isFirst = true; ; isFirst = false) {
    const lock = await context.holdAlone(file)
    if (lock) return lock
    if (isFirst) onWait()
    if (signal.aborted) throw new ReltError('cancelled', 'Cancelled.')
    await wait(100)
  }
}

/** Profiles in the local store need no permission, so those from a server need one first. */
function profileRefusal({ env }: Context, options: AccessOptions): RefuseProfile {
  return (profile, url) => {
    try {
      const missing = findMissingAccess({ url, env }, profile, options)
      if (!missing) return undefined
      const { what, options: allowing } = describeAccess(missing)
      return `it needs access that is not allowed: ${what}; if you trust the server, add ${allowing}`
    } catch (error) {
      if (error instanceof ReltError) return withoutStop(error.message)
      throw error
    }
  }
}

function parseClusters(text: string | undefined): ClusterName[] | undefined {
  return text?.split(',').map((name) => orUsage(`"${name}" cannot be a cluster.`, () => parseClusterName(name.trim())))
}

/** Throws `usage` if both ends are the same, and for credentials in the environment with two servers. */
async function openEnds(context: Context, options: SyncOptions): Promise<Ends> {
  const server = await context.server()
  const folder = resolve(options.data || dataFolder(context.env))
  const local = (at: string) => ({ name: 'this machine', address: 'local', id: `local ${at}`, isPrivate: true })
  const isLocal = options.with === 'local'
  // One pair of credentials must not be sent to two servers.
  if (server && !isLocal && (context.env.RELT_USERNAME || context.env.RELT_PASSWORD)) {
    throw new ReltError('usage', 'RELT_USERNAME and RELT_PASSWORD would be sent to both servers.', {
      hint: 'Unset them, and sign in to each server: relt auth login URL',
    })
  }
  if (isLocal && options.withTeam !== undefined) {
    throw new ReltError('usage', '--with-team needs a server: the store on this machine belongs to one user.', {
      hint: 'Leave out --with-team.',
    })
  }
  const team = options.withTeam === ownAccount ? undefined : options.withTeam
  const other = isLocal ? undefined : await context.toClient(options.with, { team })
  const here = server ? ofServer(server, server.team) : local(folder)
  // The option --team applies to this end.
  const there = other ? ofServer(other.server, team) : local(resolve(dataFolder(context.env)))
  if (here.id === there.id) {
    throw new ReltError('usage', `Both ends are ${here.name}.`, {
      hint: 'Choose this end with --server, --local or --data, and the other one with --with.',
    })
  }
  if (!server && !other) here.name = folder
  return {
    here: { ...here, client: await context.client() },
    there: { ...there, client: other ? other.client : await context.localClient() },
  }
}

function ofServer({ url, user }: NamedServer, team?: string): Omit<End, 'client'> {
  const { protocol, hostname } = new URL(url)
  const isPrivate = protocol === 'https:' || isLoopback(hostname)
  return { name: url, address: url, id: `server ${JSON.stringify([url, user, team ?? null])}`, isPrivate }
}
