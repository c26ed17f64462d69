import { InvalidArgumentError } from 'commander'
import { vexJustifications, weekdays } from '../../../contract/choices.ts'
import type { ExceptionInput } from '../../../contract/exception.ts'
import { ReltError } from '../../../errors.ts'
import { formatTimestamp, parseTimestamp } from '../../../util/time.ts'
import { targetText } from '../../../views/exception.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { splitCluster } from '../reports/cluster.ts'

export default verb({
  name: 'add',
  summary: 'Accept a finding, a check, an artifact or an advisory until a day',
  examples: [
    'relt exceptions add 3f2a91c4d07e --reason "Accepted by security, ticket 4711" --until 2027-01-31',
    'relt exceptions add 3f2a91c4d07e --reason "Deploy of Friday fixes it" --until friday',
    'relt exceptions add --check SEC014 --namespace shop --reason "The registry moves" --until 90d',
    'relt exceptions add --advisory CVE-2026-1234 --justification component_not_present --reason "Not built in" --until 1y',
  ],
  args: [['[finding]', 'id of a finding, or the beginning of it']],
  options: {
    '--check <pattern>': 'findings of these checks; * matches any text',
    '--namespace <pattern>': 'findings or artifacts in these namespaces',
    '--resource <pattern>': 'findings about these resources, such as pod/cart-*',
    '--artifact <pattern>': 'artifacts by their key, such as docker.io/library/nginx:1.27.*',
    '--advisory <id>': 'one advisory, on all artifacts or on those of --artifact and --namespace',
    '--justification <word>': { help: 'why the advisory does not affect you, for OpenVEX', choices: vexJustifications },
    '-c, --cluster <name>': 'only in this cluster (default: all)',
    '-e, --environment <name>': 'only in this environment (default: all)',
    '--reason <text>': { help: 'why it is accepted', required: true },
    '--until <day>': {
      help: 'last day (UTC): a date, the next friday, or a time from today such as 90d, 8w or 1y',
      parse: requireUntil,
      required: true,
    },
  },
  run: async (cli, finding, options) => {
    const { check, namespace, resource, artifact, advisory, justification, reason, until } = options
    const target = { check, namespace, resource, artifact, advisory, justification }
    const given = Object.entries(target).filter(([, value]) => value !== undefined)
    if ((finding === undefined) === (given.length === 0)) {
      throw new ReltError('usage', 'Name either a finding, or what the exception matches.', {
        hint: 'Use a finding id of `relt findings list`, or --check, --namespace, --resource, --artifact, --advisory.',
      })
    }
    const client = await cli.context.client()
    // Resolves the beginning of an id, and refuses a wrong one.
    const found =
      finding === undefined ? undefined : await client.call('getFinding', { params: { fingerprint: finding } })
    const { cluster, environment } = await splitCluster(client, options)
    const body: ExceptionInput = {
      ...Object.fromEntries(given),
      ...(found && { fingerprint: found.finding.fingerprint }),
      ...(cluster !== undefined && { cluster_name: cluster }),
      ...(environment !== undefined && { environment }),
      reason,
      expires_on: dayOf(until, cli.context.now()),
    }
    const added = await client.call('createException', { body })
    await sayDone(cli, `Added ${added.exception_id} until ${added.expires_on}: ${targetText(added)}`, added)
    if (!cli.json) cli.io.err(cli.io.errColor.dim(`Undo: relt exceptions expire ${added.exception_id}\n`))
  },
})

const unitDays = { d: 1, w: 7, y: 365 }
const daySeconds = 86_400

function requireUntil(text: string): string {
  const until = text.trim().toLowerCase()
  if (/^\d{1,4}[dwy]$/.test(until) || findWeekday(until) !== undefined) return until
  if (/^\d{4}-\d\d-\d\d$/.test(until) && parseTimestamp(until) !== undefined) return until
  throw new InvalidArgumentError('Use a date such as 2027-01-31, a day such as friday, or 90d, 8w or 1y.')
}

/** Also short, such as `fri`; 1 is Monday. */
function findWeekday(text: string): number | undefined {
  const found = text.length < 3 ? -1 : weekdays.findIndex((day) => day.startsWith(text))
  return found < 0 ? undefined : found + 1
}

/** `now` in unix seconds. The weekday of today is the one in a week. */
function dayOf(until: string, now: number): string {
  const [, count, unit] = /^(\d+)([dwy])$/.exec(until) ?? []
  const weekday = findWeekday(until)
  const days =
    weekday !== undefined
      ? ((weekday - new Date(now * 1000).getUTCDay() + 6) % 7) + 1
      : unit === undefined
        ? undefined
        : Number(count) * unitDays[unit as keyof typeof unitDays]
  const day = days === undefined ? until : formatTimestamp(now + days * daySeconds).slice(0, 10)
  if (day < formatTimestamp(now).slice(0, 10)) throw new ReltError('usage', `--until ${day} is over: use a later day.`)
  return day
}
