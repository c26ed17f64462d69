import { ReltError } from '../../../errors.ts'
import { paint } from '../../../render/terminal/draw.ts'
import type { CheckedEntry } from '../../../spool/spool.ts'
import { formatDuration } from '../../../util/duration.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { count } from '../../../util/words.ts'
import { triedTone } from '../../../views/outcome.ts'
import { titles } from '../../../views/titles.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { note, warning } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'
import { openSpool } from './open.ts'

export default verb({
  name: 'check',
  summary: 'Verify the files of all queued uploads',
  examples: ['relt spool check', 'relt spool check --json'],
  options: {
    '-n, --limit <count>': {
      help: 'intact uploads to show, in addition to broken ones (default: 200)',
      parse: wholeNumber(100_000),
    },
  },
  /** Needs no key, because hashes of header and content are not encrypted. Throws `unhealthy` if a file is corrupt. */
  run: async (cli, { limit = 200 }) => {
    const rows: CheckedEntry[] = []
    const counts = { waiting: 0, refused: 0, broken: 0 }
    let [intact, bytes] = [0, 0]
    for (const entry of openSpool(cli).check()) {
      counts[entry.state]++
      bytes += entry.bytes
      if (entry.state === 'broken' || ++intact <= limit) rows.push(entry)
    }
    const now = cli.context.now()
    const hidden = intact - Math.min(intact, limit)
    await show(cli, {
      body: { success: counts.broken === 0, ...counts, size_bytes: bytes, items: rows.map((row) => toBody(row, now)) },
      rows,
      columns: (io) => [
        { title: titles.id, value: ({ id }) => id },
        {
          title: titles.state,
          value: ({ state }) => state,
          style: (cell, { state }) => (state === 'waiting' ? cell : paint(io, triedTone(false))(cell)),
        },
        { title: 'Age', value: ({ head }) => (head ? formatDuration(now - head.created) : ''), align: 'right' },
        { title: 'Size', value: (row) => `${Math.ceil(row.bytes / 1024)} KB`, align: 'right' },
        { title: titles.cluster, value: ({ head }) => head?.cluster ?? '', min: 8 },
        { title: titles.reason, value: ({ reason }) => reason ?? '', min: 12 },
      ],
      empty: 'No uploads are queued.',
      remarks: [
        ...(hidden > 0 ? [note(`${hidden} more are intact. Show them: --limit ${intact}`)] : []),
        ...(counts.refused > 0 ? [warning(`${counts.refused} refused. Retry them: relt spool send --refused`)] : []),
      ],
    })
    if (counts.broken > 0) {
      const what = `${count(counts.broken, 'upload')} ${counts.broken === 1 ? 'is' : 'are'} broken.`
      throw new ReltError('unhealthy', what, { hint: 'Delete them: relt spool drop ID' })
    }
  },
})

function toBody({ id, state, bytes, head, reason }: CheckedEntry, now: number) {
  return {
    spool_id: id,
    state,
    created: head ? formatTimestamp(head.created) : null,
    age_seconds: head ? Math.max(0, now - head.created) : null,
    size_bytes: bytes,
    server: head?.server ?? null,
    cluster_name: head?.cluster ?? null,
    environment: head?.environment ?? null,
    reason,
  }
}
