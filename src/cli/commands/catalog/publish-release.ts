import { releaseTypes, severities } from '../../../contract/choices.ts'
import { defined } from '../../../util/defined.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { parseTime } from '../../input/interval.ts'
import { readText } from '../../input/read-text.ts'
import { sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { verb } from '../../program/verb.ts'
import { getProjectName } from '../projects/resolve.ts'
import { placeFor } from './place.ts'

const options = {
  '-t, --type <type>': { help: 'release type', choices: releaseTypes, default: 'app' },
  '--chart <name>': 'chart of a helm release',
  '--notes-file <file>': 'release notes as HTML; - for standard input',
  '--url <url>': 'web page of the release',
  '--published-at <time>': {
    help: 'time of publication (default: now)',
    parse: (text: string) => formatTimestamp(parseTime(text)),
  },
  '--security-fix': 'mark it as a security fix (default: derived from the notes)',
  '--no-security-fix': 'mark it as no security fix',
  '--severity <severity>': { help: 'severity of the fixed vulnerability', choices: severities },
  '--security-summary <text>': 'summary of the security fix',
  '--cve <id...>': 'CVE or GHSA ids of the fixed vulnerabilities',
  '--cve-link <url...>': 'links to their advisories',
} as const

type PublishOptions = OptionsOf<typeof options>

export default verb({
  name: 'publish-release',
  summary: 'Add or update a release on a server (admins only)',
  examples: [
    'relt catalog publish-release shop-api v2.4.0 --notes-file notes.html',
    'relt catalog publish-release shop-api 2.4.0 --type helm --chart shop-api',
    'relt catalog publish-release shop-api v2.4.1 --security-fix --severity high --cve CVE-2026-1234',
    'relt catalog publish-release shop-api v2.4.0 --local',
  ],
  args: [
    ['<project>', 'slug, name or id'],
    ['<version>', 'version of the release'],
  ],
  options,
  run: async (cli, typed, version, options) => {
    const details = await toDetails(cli, options)
    const { id: product_id, name } = await getProjectName(cli, typed)
    const answer = await cli.call('addRelease', { body: { product_id, version, type: options.type, ...details } })
    const done = answer.created === false ? 'Updated' : 'Published'
    const id = answer.release_id === null ? '' : ` (${answer.release_id})`
    await sayDone(cli, `${done} ${name} ${version}${id} ${await placeFor(cli)}`, answer)
  },
})

/** Given fields only: the others of an existing release do not change. */
async function toDetails({ context }: Cli, options: PublishOptions) {
  const { chart, notesFile, url, publishedAt, securityFix, severity, securitySummary, cve, cveLink } = options
  return defined({
    chart_name: chart,
    release_notes: notesFile === undefined ? undefined : await readText(context, notesFile),
    url,
    published_at: publishedAt,
    has_security_fix: securityFix,
    security_severity: severity,
    security_summary: securitySummary,
    cve_list: cve,
    cve_links: cveLink,
  })
}
