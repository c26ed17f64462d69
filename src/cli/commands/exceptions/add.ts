import { vexJustifications } from '../../../contract/choices.ts'
import type { ExceptionInput } from '../../../contract/exception.ts'
import type { ReceivedFinding } from '../../../contract/received/cluster-report.ts'
import { isWithin, maxReleaseDays } from '../../../contract/thresholds.ts'
import { ReltError } from '../../../errors.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { projectsOfFinding } from '../../../reports/projects-of-finding.ts'
import { defined } from '../../../util/defined.ts'
import { listed } from '../../../util/words.ts'
import { effectTexts, targetText, untilText, whereText } from '../../../views/exception.ts'
import { sayDone, warn } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { resolveProject } from '../projects/resolve.ts'
import { type ClusterOptions, clusterQuery, splitCluster, unknownCluster } from '../reports/cluster.ts'
import { nextRelease, requireDay, requireUntil, toDay } from './until.ts'

export default verb({
  name: 'add',
  summary: 'Accept a finding, a check, an artifact or an advisory until a day',
  examples: [
    'relt exceptions add 3f2a91c4d07e --reason "Accepted by security, ticket 4711" --until 2027-01-31',
    'relt exceptions add 3f2a91c4d07e --reason "Deploy of Friday fixes it" --until friday',
    'relt exceptions add 3f2a91c4d07e --reason "Fixed upstream" --until next-release --last-day 60d',
    'relt exceptions add --check SEC014 --namespace shop --cluster prod-eu --reason "The registry moves" --until 90d',
    'relt exceptions add --advisory CVE-2026-1234 --all-clusters --justification component_not_present --reason "Not built in" --until 1y',
  ],
  args: [['[finding]', 'id of a finding, or the beginning of it']],
  options: {
    '--check <pattern>': 'findings of these checks; * matches any text',
    '--namespace <pattern>': 'findings or artifacts in these namespaces',
    '--resource <pattern>': 'findings about these resources, such as pod/cart-*',
    '--artifact <pattern>': 'artifacts by their key, such as docker.io/library/nginx:1.27.*',
    '--advisory <id>': 'one advisory, on all artifacts or on those of --artifact and --namespace',
    '--justification <word>': { help: 'why the advisory does not affect you, for OpenVEX', choices: vexJustifications },
    '-c, --cluster <name>': 'only in this cluster (default: the one of the finding, scanned last)',
    '-e, --environment <name>': 'only in this environment of it (default: that of the finding)',
    '--all-clusters': 'in all clusters',
    '--reason <text>': { help: 'why it is accepted', required: true },
    '--until <day>': {
      help: 'last day (UTC): a date, the next friday, a time from today such as 90d, 8w or 1y; or next-release',
      parse: requireUntil,
      required: true,
    },
    '--project <project>': 'project whose next release is meant (default: the one that runs where the finding is)',
    '--last-day <day>': {
      help: 'with next-release: last day (UTC) if no release comes before it (default: 180d, which is the most)',
      parse: requireDay,
    },
  },
  epilog:
    'With `--until next-release`, an exception ends when the catalog knows a release of the project that is newer than all that it knew before. Pre-releases and withdrawn releases do not count.',
  run: async (cli, finding, options) => {
    const { check, namespace, resource, artifact, advisory, justification, reason, allClusters = false } = options
    const given = defined({ check, namespace, resource, artifact, advisory, justification })
    if ((finding === undefined) === (Object.keys(given).length === 0)) {
      throw new ReltError('usage', 'Name either a finding, or what the exception matches.', {
        hint: 'Use a finding id of `relt findings list`, or --check, --namespace, --resource, --artifact, --advisory.',
      })
    }
    if (allClusters === (options.cluster !== undefined) && (allClusters || finding === undefined)) {
      throw new ReltError('usage', 'Say where it applies: either --cluster NAME or --all-clusters.')
    }
    // Resolves a prefix of an id, and rejects an unknown one.
    const found = finding === undefined ? undefined : await cli.call('getFinding', { params: { fingerprint: finding } })
    const { cluster, environment } = await splitCluster(cli, options)
    const body: ExceptionInput = {
      ...given,
      ...(found && { fingerprint: found.finding.fingerprint }),
      ...defined({ cluster_name: cluster, environment }),
      ...(allClusters && { all_clusters: true }),
      reason,
      ...(await endOf(cli, options, found)),
    }
    const added = await cli.call('createException', { body })
    if (body.next_release_of !== undefined && !added.next_release) await refuseLongerEnd(cli, added.exception_id)
    const shown = await cli.call('getException', {
      params: { exception_id: added.exception_id },
      query: { include_matched: true },
    })
    await sayDone(cli, `Added ${shown.exception_id} until ${plain(untilText(shown))}: ${targetText(shown)}`, {
      ...added,
      ...shown,
    })
    if (cli.json) return
    for (const text of effectTexts(shown)) cli.io.err(`${plain(text)}\n`)
    const after = finding === undefined ? undefined : await cli.call('getFinding', { params: { fingerprint: finding } })
    const open = after?.clusters.filter(({ state }) => state === 'open') ?? []
    if (open.length > 0)
      cli.io.err(`It still counts in ${plain(listed(open.map(whereText)))}. For all: --all-clusters\n`)
    await warnOfUnknown(cli, { cluster, environment })
    cli.io.err(cli.io.errColor.dim(`Undo: relt exceptions expire ${shown.exception_id}\n`))
  },
})

async function endOf(
  cli: Cli,
  { until, project, lastDay }: { until: string; project?: string; lastDay?: string },
  found: Parameters<typeof findReleaseProject>[1]['found'],
) {
  const now = cli.context.now()
  if (until !== nextRelease) {
    const odd = project !== undefined ? '--project' : lastDay !== undefined ? '--last-day' : undefined
    if (odd) throw new ReltError('usage', `${odd} needs --until ${nextRelease}.`)
    return { expires_on: toDay(until, '--until', now) }
  }
  const expires_on = toDay(lastDay ?? `${maxReleaseDays}d`, '--last-day', now)
  if (!isWithin(expires_on, maxReleaseDays, now)) {
    throw new ReltError('usage', `--last-day ${expires_on} is more than ${maxReleaseDays} days away.`)
  }
  return { expires_on, next_release_of: await findReleaseProject(cli, { project, found }) }
}

/** The project whose next release ends the exception: the given one, or the only one that runs where the finding is. */
async function findReleaseProject(
  cli: Cli,
  { project, found }: { project: string | undefined; found: { finding: ReceivedFinding; run_id: string } | undefined },
) {
  if (project !== undefined) return Number(await resolveProject(cli, project))
  if (!found) throw unclear('Name the project whose next release ends the exception.')
  const { items } = await cli.call('reportFreshness', { params: { run_id: found.run_id } })
  const projects = projectsOfFinding(found.finding, items)
  const [only, ...others] = projects
  if (!only) throw unclear('The finding is about no workload whose project relt knows.')
  if (others.length > 0) {
    const slugs = projects.map(({ slug }) => plain(slug)).join(', ')
    throw unclear(`Releases of several projects run where the finding is: ${slugs}.`)
  }
  return only.id
}

const unclear = (message: string) =>
  new ReltError('usage', message, { hint: 'Add --project PROJECT, such as --project cert-manager.' })

/** An older server ignores the release, and would keep the exception until its last day. */
async function refuseLongerEnd(cli: Cli, exception_id: string): Promise<never> {
  await cli.call('expireException', { params: { exception_id } })
  throw new ReltError('usage', `The server cannot end exceptions with a release, so ${exception_id} was ended again.`, {
    hint: 'Use a day: --until 30d',
  })
}

/** An exception may precede the first report, so a misspelled cluster name is only a warning. */
async function warnOfUnknown(cli: Cli, place: ClusterOptions) {
  if (!place.cluster) return
  const { items } = await cli.call('listReports', { query: { ...clusterQuery(place), per_page: 1 } })
  const unknown = items.length === 0 && (await unknownCluster(cli, place))
  if (unknown) warn(cli.io, `${unknown.message} ${unknown.hint}`)
}
