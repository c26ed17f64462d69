import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { channelNames } from '../../../contract/channels.ts'
import type { Rehearsal, RehearsalRequest } from '../../../contract/delivery.ts'
import { ReltError } from '../../../errors.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { defined } from '../../../util/defined.ts'
import { unwritable } from '../../../util/file-error.ts'
import { parseDays } from '../../../util/time.ts'
import { andMore, count } from '../../../util/words.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'rehearse',
  summary: 'Show which notifications recent events would have caused',
  examples: [
    'relt notify rehearse',
    'relt notify rehearse --days 90 --with only_what_runs=true --with quiet_hours=22:00-07:00',
    'relt notify rehearse --channel slack --out rehearsal',
  ],
  options: {
    '--days <days>': { help: 'days to look back, 1 to 365 (default: 30)', parse: readDays },
    '--with <setting=value>': { help: 'try a setting without storing it (repeatable)', parse: addSetting, default: {} },
    '--channel <channel>': { help: 'only this channel, as if it was set up', choices: channelNames },
    '-n, --limit <count>': { help: 'messages to show, at most 100 (default: 20)', parse: wholeNumber(100) },
    '--out <folder>': 'write each message to a file',
  },
  epilog:
    'Settings are those of `relt notify set` with their names on the wire, and email_enabled, email_frequency,' +
    '\nrelease_types_filter and subscription_release_types for all subscriptions. Nothing is sent.',
  run: async (cli, options) => {
    const { days, channel, out } = options
    const client = await cli.context.client()
    const limit = options.limit ?? (out === undefined ? undefined : 100)
    const body = defined({ days, channel, limit, settings: await settingsFor(options.with) })
    const found = await client.call('rehearseNotifications', { body })
    if (out !== undefined) await writeAll(out, found)
    await show(cli, {
      body: found,
      text: (io) => renderRehearsal(io, found),
      ...(out !== undefined && { note: `Wrote ${count(found.messages.length, 'message')} to ${out}` }),
    })
  },
})

function readDays(text: string): number {
  const days = parseDays(text)
  if (days !== undefined && days >= 1 && days <= 365) return days
  throw new InvalidArgumentError('Use a number of days from 1 to 365.')
}

function addSetting(text: string, known: Record<string, string>): Record<string, string> {
  const [name, ...value] = text.split('=')
  if (!/^[a-z_]+$/.test(name!) || value.length === 0) throw new InvalidArgumentError('Use setting=value.')
  return { ...known, [name!]: value.join('=') }
}

/** Converts texts to the types of the settings. Throws `usage` for an unknown name. */
async function settingsFor(texts: Record<string, string>): Promise<RehearsalRequest['settings']> {
  const { RehearsalSettings } = await import('../../../contract/delivery.ts')
  const unknown = Object.keys(texts).find((name) => !Object.hasOwn(RehearsalSettings.shape, name))
  if (unknown !== undefined) {
    throw new ReltError('usage', `${unknown} is not a setting of notifications.`, {
      hint: `Use one of ${Object.keys(RehearsalSettings.shape).join(', ')}.`,
    })
  }
  const toSetting = (text: string) => {
    if (text === 'true' || text === 'false') return text === 'true'
    return /^\d{1,2}$/.test(text) ? Number(text) : text
  }
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, toSetting(text)]))
}

function renderRehearsal({ color }: Io, found: Rehearsal): string {
  const { per_day: days, by_channel, messages, total, from, to } = found
  const channels = by_channel.map(({ channel, messages }) => `${messages} ${channel}`).join(', ')
  const most = Math.max(1, ...days.map((day) => day.messages))
  const bar = (many: number) => '#'.repeat(Math.ceil((many / most) * 40))
  return [
    `${count(total, 'notification')} from ${count(found.events, 'event')} between ${from} and ${to}`,
    `${total > 0 ? `: ${channels}` : ''}\n`,
    ...toBasis(found),
    ...(days.length > 0 ? ['\n'] : []),
    ...days.map(({ day, messages: many }) => `  ${day}  ${String(many).padStart(4)}  ${color.cyan(bar(many))}\n`),
    ...messages.flatMap((message) => ['\n', ...renderMessage(color, message)]),
    ...(messages.length < total ? [`\n${color.dim(`${andMore(total - messages.length)}: --limit, or --json`)}\n`] : []),
  ].join('')
}

/** Other servers do not return the basis of their events. */
function toBasis({ events_since: since, replayed = 0 }: Rehearsal): string[] {
  if (since === undefined) return []
  const recorded = since === null ? 'No events are recorded yet' : `Events are recorded since ${since}`
  const from =
    replayed > 0 ? `; ${replayed === 1 ? 'one is' : `${replayed} are`} read from past releases and stored runs` : ''
  return [`${recorded}${from}.\n`]
}

function renderMessage(color: Io['color'], message: Rehearsal['messages'][number]): string[] {
  const { due_at, channel, kind, name, version, subject, body, content_type } = message
  const title = [kind, name, version].filter((part) => part !== null).join(' ')
  const text = content_type === 'application/json' ? indented(body) : body
  return [
    `${color.bold(plain(`${due_at}  ${channel}  ${title}`))}\n`,
    ...(subject === null ? [] : [`  ${color.dim('Subject:')} ${plain(subject)}\n`]),
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => `  ${plain(line)}\n`),
  ]
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

/** Writes files such as `001-slack.json`, `002-email.txt`. */
async function writeAll(folder: string, { messages }: Rehearsal): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    for (const [index, { channel, content_type, subject, body }] of messages.entries()) {
      const ending = content_type === 'application/json' ? 'json' : 'txt'
      const file = join(folder, `${String(index + 1).padStart(3, '0')}-${channel}.${ending}`)
      await writeFile(file, subject === null ? `${body}\n` : `Subject: ${subject}\n\n${body}\n`)
    }
  } catch (cause) {
    throw unwritable(folder, cause)
  }
}
