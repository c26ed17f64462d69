import type { ExceptionInput, StoredException } from '../../../contract/exception.ts'
import type { ReceivedComparison } from '../../../contract/received/cluster-report.ts'
import { ReltError } from '../../../errors.ts'
import { matchesFinding } from '../../../gate/stored-exception.ts'
import { commonPattern } from '../../../reports/joins.ts'
import { stableResource } from '../../../reports/stable-name.ts'
import { defined } from '../../../util/defined.ts'
import { targetText } from '../../../views/exception.ts'
import { sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'confirm',
  summary: 'Widen an exception to a workload that gets a new name each time',
  examples: ['relt exceptions confirm exc_2b7f0c9d4e1a65830f12'],
  args: [['<id>', 'id of the exception']],
  epilog:
    'A workload that was renamed keeps its findings, but not their exceptions: a stranger may have the same faults. Confirm that it is the same one, and the exception holds for the same check on all names that have the same beginning and end, in its namespace.',
  run: async (cli, exception_id) => {
    const client = await cli.context.client()
    const old = await client.call('getException', { params: { exception_id } })
    const renamed = await findRenamed(cli, old)
    const { reason, expires_on, next_release, cluster_name, environment } = old
    const body: ExceptionInput = {
      check: renamed.check_id ?? '*',
      ...(renamed.namespace !== null && { namespace: renamed.namespace }),
      resource: patternFor(renamed.renamed_from.resource ?? '', renamed.resource ?? ''),
      ...(cluster_name === null
        ? { all_clusters: true }
        : defined({ cluster_name, environment: environment ?? undefined })),
      reason,
      expires_on,
      ...(next_release && { next_release_of: next_release.product_id }),
    }
    const added = await client.call('createException', { body })
    await client.call('expireException', { params: { exception_id } })
    await sayDone(cli, `Added ${added.exception_id} in place of ${exception_id}: ${targetText(added)}`, added)
  },
})

/** Each pod has a further suffix. */
function patternFor(former: string, now: string): string {
  const [old, template] = [former, now].map(stableResource)
  return `${commonPattern(old!, template!)}${template === now ? '' : '*'}`.replace(/\*+$/, '*')
}

/** The finding that the exception accepts under the former name of its workload. Throws `not_found` without one. */
async function findRenamed({ context }: Cli, old: StoredException) {
  const client = await context.client()
  const { cluster_name, environment, created_at } = old
  if (old.state !== 'active') throw new ReltError('conflict', `The exception ${old.exception_id} has ended.`)
  const place = defined({ cluster_name: cluster_name ?? undefined, environment: environment ?? undefined })
  for (const query of [{ ...place, since: created_at }, place]) {
    const found: ReceivedComparison | undefined = await client.call('compareReports', { query }).catch(() => undefined)
    const renamed = found?.renamed_findings?.find((each) => matchesFinding(old, { ...each, ...each.renamed_from }))
    if (renamed) return renamed
  }
  throw new ReltError('not_found', 'No workload that the exception accepts has been renamed since it was added.', {
    hint: 'See what was renamed: relt reports compare',
  })
}
