import { MissingFeature } from '../../../client/missing-feature.ts'
import type { FindingDetails, FindingOccurrence } from '../../../contract/finding.ts'
import type { FixProposal } from '../../../contract/fix-proposal.ts'
import { ReltError } from '../../../errors.ts'
import { type Exception, Exceptions, sourceText } from '../../../gate/exception.ts'
import { drawColumns, drawSaid } from '../../../render/terminal/draw.ts'
import { renderTable } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { formatDay } from '../../../util/time.ts'
import { exceptionWhere } from '../../../views/exception.ts'
import { clusterText, untilSaid } from '../../../views/finding.ts'
import { findingDetails, occurrenceColumns, ownersDetail } from '../../../views/finding-details.ts'
import { proposalView } from '../../../views/fix-proposal.ts'
import { plainText } from '../../../views/said.ts'
import type { ViewColumn } from '../../../views/view.ts'
import { renderDetails, toFields } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { warning } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { verb } from '../../program/verb.ts'
import { loadExceptions } from '../gate/options.ts'
import { clusterQuery, splitCluster } from '../reports/cluster.ts'
import { findRunId, runForms } from '../reports/find-run.ts'

const options = {
  '-c, --cluster <name>': 'cluster (default: all)',
  '-e, --environment <name>': 'environment of the cluster (default: all)',
  '--run <run>': `run whose texts are shown: ${runForms} (default: the latest that has the finding)`,
  '--policy <file>': 'YAML file with exceptions under the key gate (default: relt.yaml, if it exists)',
} as const

type ShowFindingOptions = OptionsOf<typeof options>

export default verb({
  name: 'show',
  summary: 'Show a finding, its history and how to fix it',
  examples: ['relt findings show 3f2a91c4d07e', 'relt findings show 3f2a91c4d07e --cluster prod-eu --json'],
  args: [['<id>', 'id of the finding, or the beginning of it']],
  options,
  run: async (cli, id, options) => {
    const query = {
      ...clusterQuery(await splitCluster(cli, options)),
      ...(options.run && { run_id: await findRunId(cli, options.run, options) }),
    }
    const found = await cli.call('getFinding', { params: { fingerprint: id }, query }).catch((error: unknown) => {
      throw error instanceof MissingFeature ? error : explained(error, id)
    })
    const exceptions = await findExceptions(cli, found, options)
    const { clusters, clusters_total } = found
    await show(cli, {
      body: { ...found, exceptions: exceptions ?? null },
      text: (io, now) => renderFinding(io, found, { exceptions, now }),
      markdown: async () => {
        const { findingMarkdown } = await import('./show-markdown.ts')
        return findingMarkdown(found, exceptionsText(exceptions))
      },
      remarks:
        clusters_total > clusters.length
          ? [warning(`Only ${clusters.length} of ${clusters_total} clusters are listed.`)]
          : [],
    })
  },
})

/** Adds a hint to the list if the id has no finding. */
function explained(error: unknown, id: string) {
  if (!(error instanceof ReltError) || error.code !== 'not_found' || error.hint) return error
  return new ReltError('not_found', `No finding has an id that begins with ${id}.`, {
    hint: 'List them with their ids: relt findings list',
    ...(error.origin && { origin: error.origin }),
    cause: error,
  })
}

interface ConcernedException extends Exception {
  expired: boolean
}

/** Exceptions in the policy file and on the server, for any cluster; includes expired ones that match the finding. */
async function findExceptions(
  { context }: Cli,
  { finding }: FindingDetails,
  options: ShowFindingOptions,
): Promise<ConcernedException[] | undefined> {
  const loaded = await loadExceptions(options).catch((error: unknown) => {
    if (options.policy !== undefined) throw error
  })
  if (!loaded) return undefined
  const { findStoredExceptions } = await import('../../../submit/stored-exceptions.ts')
  const stored = (await findStoredExceptions(await context.client())) ?? []
  const exceptions = new Exceptions([...loaded, ...stored], formatDay(context.now()))
  exceptions.forFinding(finding)
  const { used, expired } = exceptions.uses()
  return [
    ...used.map((exception) => ({ ...exception, expired: false })),
    ...expired.filter(({ matched }) => matched > 0).map((exception) => ({ ...exception, expired: true })),
  ]
}

/** `exceptions` is undefined if the policy file cannot be read. */
function renderFinding(
  io: Io,
  found: FindingDetails,
  { exceptions, now }: { exceptions: ConcernedException[] | undefined; now: number },
) {
  const { finding, clusters } = found
  const details: [string, string][] = [
    ...toFields(io, [...findingDetails(finding), ...ownersDetail(found)]),
    ['Exceptions', exceptionsText(exceptions)],
  ]
  const proposal = found.proposal ? `\n${renderProposal(io, found.proposal)}` : ''
  return `${finding.fingerprint}\n${renderDetails(io, details)}${proposal}\n${renderTable(io, drawColumns(io, columns, now), clusters)}`
}

/** Each command is on a separate line that is never wrapped. */
function renderProposal(io: Io, proposal: FixProposal) {
  const { title, about, steps, notes } = proposalView(proposal)
  return [
    `${io.color.bold(title)}: ${drawSaid(io, about)}`,
    ...steps.flatMap(({ words, command }, i) => [
      `  ${i + 1}. ${drawSaid(io, words)}`,
      `     $ ${drawSaid(io, command)}`,
    ]),
    ...notes.map((note) => `  - ${drawSaid(io, note)}`),
    '',
  ].join('\n')
}

function exceptionsText(exceptions: ConcernedException[] | undefined) {
  if (!exceptions) return 'unknown: the policy file is invalid; run `relt gate check`'
  return exceptions.length === 0 ? 'none' : exceptions.map(describeException).join('\n')
}

function describeException({ expired, ...exception }: ConcernedException) {
  const { reason, expires, ended, origin, next_release_of } = exception
  const until = plainText(untilSaid({ expires_on: expires, next_release_of }))
  const state = expired ? (ended ? 'ended' : `expired on ${expires}`) : `until ${until}`
  return plain(`${state}${origin ? ` in ${exceptionWhere(exception)}` : ''}: ${reason} (${sourceText(exception)})`)
}

const { cluster, state, first_seen, last_seen, run } = occurrenceColumns
const columns: ViewColumn<FindingOccurrence>[] = [{ ...cluster, text: clusterText }, state, first_seen, last_seen, run]
