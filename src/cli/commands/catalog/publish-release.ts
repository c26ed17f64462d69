import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { releaseTypes, severities } from '../../../contract/choices.ts'
import type { ReleaseType } from '../../../contract/project.ts'
import type { Severity } from '../../../contract/shape.ts'
import { formatTimestamp, parseTimestamp } from '../../../util/time.ts'
import { readText } from '../../input/read-text.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { getProjectName } from '../projects/resolve.ts'
import { placeOf } from './place.ts'

export interface PublishOptions {
  type: ReleaseType
  chart?: string
  notesFile?: string
  url?: string
  publishedAt?: string
  securityFix?: boolean
  severity?: Severity
  securitySummary?: string
  cve?: string[]
  cveLink?: string[]
}

export function createCommand(context: Context, run = runPublish): Command {
  return newCommand('publish-release', 'Add or update a release on a server (admins only)', [
    'relt catalog publish-release shop-api v2.4.0 --notes-file notes.html',
    'relt catalog publish-release shop-api 2.4.0 --type helm --chart shop-api',
    'relt catalog publish-release shop-api v2.4.1 --security-fix --severity high --cve CVE-2026-1234',
    'relt catalog publish-release shop-api v2.4.0 --local',
  ])
    .argument('<project>', 'slug, name or id')
    .argument('<version>', 'version of the release')
    .addOption(new Option('-t, --type <type>', 'release type').choices(releaseTypes).default('app'))
    .option('--chart <name>', 'chart of a helm release')
    .option('--notes-file <file>', 'release notes as HTML; - for standard input')
    .option('--url <url>', 'web page of the release')
    .option('--published-at <time>', 'time of publication (default: now)', readTime)
    .option('--security-fix', 'mark it as a security fix (default: derived from the notes)')
    .option('--no-security-fix', 'mark it as no security fix')
    .addOption(new Option('--severity <severity>', 'severity of the fixed vulnerability').choices(severities))
    .option('--security-summary <text>', 'summary of the security fix')
    .option('--cve <id...>', 'CVE or GHSA ids of the fixed vulnerabilities')
    .option('--cve-link <url...>', 'links to their advisories')
    .action((project, version, options, command) => run(cliOf(context, command), project, version, options))
}

export async function runPublish(cli: Cli, typed: string, version: string, options: PublishOptions): Promise<void> {
  const details = await detailsOf(cli, options)
  const { id: product_id, name } = await getProjectName(cli, typed)
  const client = await cli.context.client()
  const answer = await client.call('addRelease', { body: { product_id, version, type: options.type, ...details } })
  const done = answer.created === false ? 'Updated' : 'Published'
  const id = answer.release_id === null ? '' : ` (${answer.release_id})`
  await sayDone(cli, `${done} ${name} ${version}${id} ${await placeOf(cli)}`, answer)
}

/** Only what is given: the rest of a release that is there stays. */
async function detailsOf({ context }: Cli, options: PublishOptions) {
  const { chart, notesFile, url, publishedAt, securityFix, severity, securitySummary, cve, cveLink } = options
  return {
    ...(chart !== undefined && { chart_name: chart }),
    ...(notesFile !== undefined && { release_notes: await readText(context, notesFile) }),
    ...(url !== undefined && { url }),
    ...(publishedAt !== undefined && { published_at: publishedAt }),
    ...(securityFix !== undefined && { has_security_fix: securityFix }),
    ...(severity !== undefined && { security_severity: severity }),
    ...(securitySummary !== undefined && { security_summary: securitySummary }),
    ...(cve && { cve_list: cve }),
    ...(cveLink && { cve_links: cveLink }),
  }
}

function readTime(text: string): string {
  const seconds = parseTimestamp(text)
  if (seconds === undefined) throw new InvalidArgumentError('Use a date such as 2026-01-31, or ISO 8601.')
  return formatTimestamp(seconds)
}
