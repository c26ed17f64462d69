import { errorTable, ReltError } from '../../../errors.ts'
import type { SendResult } from '../../../spool/send.ts'
import type { Spool } from '../../../spool/spool.ts'
import { sendWaiting } from '../../../submit/flush.ts'
import { defined } from '../../../util/defined.ts'
import { titles } from '../../../views/titles.ts'
import { member, show } from '../../output/output.ts'
import { warn } from '../../output/say.ts'
import { showSteps } from '../../output/steps.ts'
import { verb } from '../../program/verb.ts'
import { openSpool } from './open.ts'
import { requireIds } from './require-ids.ts'

export default verb({
  name: 'send',
  summary: 'Send queued uploads to their servers',
  examples: ['relt spool send', 'relt spool send spl_0m9x2k4fd1c0ffee2 --verbose', 'relt spool send --refused'],
  args: [['[id...]', 'ids of uploads (default: all queued uploads)']],
  options: {
    '--refused': 'retry the uploads that their servers refused',
  },
  run: async (cli, ids, { refused = false }) => {
    const { context, io } = cli
    const spool = openSpool(cli)
    requireIds(spool, ids)
    const connect = (url: string, team?: string) => context.toClient(url, { team })
    const { onProgress } = showSteps(io)
    const entries = () => (ids.length > 0 ? chosen(spool, ids) : spool.entries({ refused }))
    const sent: SendResult[] = []
    let unreadable: unknown
    try {
      await sendWaiting({ spool, connect, onProgress }, { entries, onResult: (result) => void sent.push(result) })
    } catch (error) {
      if (sent.length === 0) throw error
      unreadable = error
    }
    const { done, failed } = sortOut(sent)
    for (const { id, error } of failed) warn(io, `${id} was not sent: ${error.message}`)
    await show(cli, {
      body: {
        success: failed.length === 0,
        sent: done.map(({ success: _, ...run }) => run),
        failed: failed.map(({ id, error: { code, message } }) => ({
          spool_id: id,
          code: errorTable[code].wire,
          message,
        })),
        ...left(spool),
      },
      rows: done,
      columns: () => [
        { title: titles.id, value: member('spool_id') },
        { title: titles.run, value: member('run_id') },
        { title: titles.stored, value: (run) => (run.duplicate ? 'already stored' : run.ingested_at) },
      ],
      empty: failed.length === 0 ? 'No uploads are waiting.' : 'No upload was sent.',
    })
    const [first] = failed
    if (first) throw formatSummary(first.error, failed.length)
    if (unreadable !== undefined) throw unreadable
  },
})

const sortOut = (sent: SendResult[]) => ({
  done: sent.flatMap(({ entry: { id }, outcome }) =>
    'uploaded' in outcome ? { spool_id: id, ...outcome.uploaded } : [],
  ),
  failed: sent.flatMap(({ entry: { id }, outcome }) => ('error' in outcome ? { id, error: outcome.error } : [])),
})

function* chosen(spool: Spool, ids: string[]) {
  for (const id of ids.toSorted()) {
    const entry = spool.find(id)
    if (entry) yield entry
  }
}

function left(spool: Spool) {
  const { waiting, refused } = spool.usage()
  return { waiting, refused }
}

function formatSummary(first: ReltError, count: number) {
  const { code, message, hint, params, origin } = first
  return new ReltError(code, count === 1 ? message : `${count} uploads could not be sent. The first: ${message}`, {
    ...defined({ hint, params, origin }),
    cause: first,
  })
}
