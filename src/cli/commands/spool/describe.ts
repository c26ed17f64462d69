import { daySeconds, formatTimestamp } from '../../../util/time.ts'
import { count } from '../../../util/words.ts'
import type { Cli } from '../../program/command.ts'
import { openSpool } from './open.ts'

/** Deleted uploads are shown for this long. */
const droppedSeconds = 7 * daySeconds

/** The state of the spool, for a status: members of its JSON, and a sentence for each thing that needs attention. */
export async function describeSpool(cli: Cli): Promise<{ body: Record<string, unknown>; warnings: string[] }> {
  const now = cli.context.now()
  const spool = openSpool(cli)
  const { waiting, refused, broken } = spool.usage()
  const [oldest] = spool.list(1)
  const dropped = spool.dropped().filter(({ at }) => at > now - droppedSeconds)
  const last = dropped.at(-1)
  const problem = spool.findProblem()
  const uploads = (many: number) => count(many, 'upload')
  return {
    body: {
      uploads_waiting: waiting,
      uploads_refused: refused,
      uploads_broken: broken,
      uploads_dropped: dropped.length,
      oldest_upload_at: oldest ? formatTimestamp(oldest.created) : null,
      problems: problem === undefined ? [] : [problem],
    },
    warnings: [
      ...(problem === undefined ? [] : [problem]),
      ...(waiting > 0 ? [`${uploads(waiting)} waiting: relt spool list`] : []),
      ...(refused > 0 ? [`${uploads(refused)} refused: relt spool list, then relt spool send --refused`] : []),
      ...(broken > 0 ? [`${uploads(broken)} broken: relt spool check`] : []),
      ...(last
        ? [`${uploads(dropped.length)} deleted unsent in seven days. The last: ${last.id}, ${last.reason}.`]
        : []),
    ],
  }
}
