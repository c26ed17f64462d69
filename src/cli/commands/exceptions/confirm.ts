import type { RouteCaller } from '../../../client/client.ts'
import type { ExceptionInput, StoredException } from '../../../contract/exception.ts'
import { insteadOf, ReltError } from '../../../errors.ts'
import { matchesFinding } from '../../../gate/stored-exception.ts'
import { commonPattern } from '../../../reports/joins.ts'
import { stableResource } from '../../../reports/stable-name.ts'
import { defined } from '../../../util/defined.ts'
import { targetText } from '../../../views/exception.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'confirm',
  summary: 'Widen an exception to a workload that gets a new name each time',
  examples: ['relt exceptions confirm exc_2b7f0c9d4e1a65830f12'],
  args: [['<id>', 'id of the exception']],
  epilog:
    'A workload that was renamed keeps its findings, but not their exceptions: a stranger may have the same faults. Confirm that it is the same one, and the exception holds for the same check on all names that have the same beginning and end, in its namespace.',
  run: async (cli, exception_id) => {
    const old = await cli.call('getException', { params: { exception_id } })
    const { check, namespace, renamed_from, resource } = await findRenamed(cli, old)
    const { reason, expires_on, next_release, cluster_name, environment } = old
    const body: ExceptionInput = {
      ...defined({ check, namespace }),
      resource: patternFor(renamed_from.resource ?? '', resource ?? ''),
      ...(cluster_name === null ? { all_clusters: true } : { cluster_name }),
      ...(environment !== null && { environment }),
      reason,
      expires_on,
      ...(next_release && { next_release_of: next_release.product_id }),
    }
    const added = await cli.call('createException', { body })
    await cli.call('expireException', { params: { exception_id } })
    await sayDone(cli, `Added ${added.exception_id} in place of ${exception_id}: ${targetText(added)}`, added)
  },
})

/** Throws `conflict` for names without a word in common: it would hold for every pod. */
function patternFor(former: string, now: string): string {
  const [old, template] = [former, now].map(stableResource)
  const slash = template!.indexOf('/') + 1
  const pattern = commonPattern(old!.slice(slash), template!.slice(slash))
  if (pattern === undefined) {
    throw new ReltError('conflict', `${former} and ${now} have no word of their names in common.`, {
      hint: 'Accept the check in the namespace: relt exceptions add --check CHECK --namespace NAMESPACE',
    })
  }
  // Each pod has a further suffix.
  return `${template!.slice(0, slash)}${pattern}${template === now || pattern.endsWith('*') ? '' : '*'}`
}

/** A finding that the exception accepts under the former name of its workload. Throws `not_found` without one. */
async function findRenamed(client: RouteCaller, old: StoredException) {
  const { cluster_name, environment, created_at: since, fingerprint } = old
  if (old.state !== 'active') throw new ReltError('conflict', `The exception ${old.exception_id} has ended.`)
  const place = { ...(cluster_name !== null && { cluster_name }), ...(environment !== null && { environment }) }
  for (const query of [{ ...place, since }, place]) {
    const found = await client.call('compareReports', { query }).catch(insteadOf('not_found', undefined))
    const renamed = found?.renamed_findings?.find((each) => matchesFinding(old, { ...each, ...each.renamed_from }))
    if (!renamed?.check_id) continue
    // A pattern stays as it is, but for the resource.
    const { check, namespace } = fingerprint === null ? old : { check: renamed.check_id, namespace: renamed.namespace }
    return { ...renamed, check: check ?? undefined, namespace: namespace ?? undefined }
  }
  throw new ReltError('not_found', 'No workload that the exception accepts has been renamed since it was added.', {
    hint: 'See what was renamed: relt reports compare',
  })
}
