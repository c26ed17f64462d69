import { when } from '../../../util/ago.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { titles } from '../../../views/titles.ts'
import { member, show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { note, warning } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'
import { openSpool } from './open.ts'

export default verb({
  name: 'list',
  summary: 'List queued uploads, oldest first',
  examples: ['relt spool list', 'relt spool list --json'],
  options: {
    '-n, --limit <count>': { help: 'uploads to show (default: 200)', parse: wholeNumber(100_000) },
  },
  run: async (cli, { limit = 200 }) => {
    const spool = openSpool(cli)
    const waiting = spool.list(limit)
    const entries = [...waiting, ...spool.listRefused(limit - waiting.length)]
    const broken = spool.listBroken(limit)
    const usage = spool.usage()
    const count = usage.waiting + usage.refused
    await show(cli, {
      body: {
        success: true,
        count,
        refused: usage.refused,
        items: entries.map(({ id, server, cluster, environment, created, bytes, attempts }) => ({
          spool_id: id,
          server,
          cluster_name: cluster,
          environment,
          created: formatTimestamp(created),
          size_bytes: bytes,
          attempts: attempts.count,
          last_error: attempts.lastError,
          refused: attempts.refused,
        })),
        broken,
      },
      rows: entries,
      columns: ({ color, isTerminal }, now) => [
        { title: titles.id, value: member('id') },
        { title: 'Queued', value: (entry) => when(formatTimestamp(entry.created), { isTerminal, now }) },
        {
          title: titles.cluster,
          value: ({ cluster, environment }) => `${cluster ?? ''} (${environment ?? ''})`,
          style: color.bold,
          min: 8,
        },
        { title: titles.server, value: ({ server }) => server.name ?? server.url, min: 8 },
        { title: titles.state, value: ({ attempts }) => (attempts.refused ? 'refused' : 'waiting') },
        { title: titles.attempts, value: ({ attempts }) => String(attempts.count), align: 'right' },
        { title: 'Last error', value: ({ attempts }) => attempts.lastError ?? '', min: 12 },
      ],
      empty: 'No uploads are waiting.',
      remarks: [
        count > entries.length && note(`${count - entries.length} more. Show them: --limit ${count}`),
        usage.refused > 0 && warning(`${usage.refused} refused. Retry them: relt spool send --refused`),
        broken.length > 0 &&
          warning(`${usage.broken} unreadable: ${broken.join(', ')}. Delete them: relt spool drop ID`),
      ],
    })
  },
})
