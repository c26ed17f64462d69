import { credentialsFor } from '../../../client/server-options.ts'
import { type Config, readConfig } from '../../../config/config-file.ts'
import { type SelectedServer, selectServer } from '../../../config/select-server.ts'
import type { Context } from '../../../context.ts'
import { errorTable, ReltError } from '../../../errors.ts'
import { paint } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { triedTone } from '../../../views/outcome.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { member, show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { expiryFor } from '../keys/view.ts'
import { checkServer } from './check-server.ts'
import { expiryRemarks } from './expiry-remarks.ts'

export default verb({
  name: 'status',
  summary: 'List servers and check their credentials',
  examples: ['relt auth status', 'relt auth status --json'],
  /** Fails if the current server fails. */
  run: async (cli) => {
    const { context, flags } = cli
    const config = readConfig(context.env)
    const current = selectServer(flags, context.env, config)
    const toTeam = (each: SelectedServer) =>
      each === current ? (flags.team ?? (context.env.RELT_TEAM || undefined)) : undefined
    const all = await Promise.all(
      serversFor(config, current).map((each) =>
        statusFor({ ...each, team: toTeam(each) }, each === current, context, config),
      ),
    )
    const hasTeams = all.some(({ status }) => status.team !== null)
    await show(cli, {
      body: { success: true, items: all.map(({ status }) => status), local: current === undefined },
      rows: all.map(({ status }) => status),
      columns: (io, now) => columns(io, now, hasTeams),
      remarks: all.flatMap(({ status }) => expiryRemarks(status.name, status.key, context.now())),
      empty: 'Commands use the store on this machine. Sign in to a server: relt auth login URL',
    })
    const failed = all.find(({ status, error }) => status.current && error)?.error
    if (failed) throw failed
  },
})

type ServerStatus = Awaited<ReturnType<typeof statusFor>>['status']

function serversFor({ servers, settings }: Config, current: SelectedServer | undefined): SelectedServer[] {
  const known = [...servers].map(([name, server]): SelectedServer => {
    if (current?.name === name) return current
    return { name, url: server.url, known: server, caFile: server.ca_file ?? settings.ca_file, by: 'config' }
  })
  return current && current.name === undefined ? [...known, current] : known
}

async function statusFor(
  server: SelectedServer & { team: string | undefined },
  isCurrent: boolean,
  context: Context,
  config: Config,
) {
  const { env } = context
  const { name, url, known } = server
  let username = known?.username
  const { key, team, error } = await credentialsFor(server, env)
    .then((credentials) => {
      username = credentials?.username
      return checkServer(context, server, async () => credentials, config)
    })
    .then(
      (checked) => ({ key: checked.key, team: checked.team, error: undefined }),
      (cause: unknown) => {
        if (cause instanceof ReltError) return { key: undefined, team: undefined, error: cause }
        throw cause
      },
    )
  const fromEnv = (env.RELT_PASSWORD || (!known && env.KUBEBUDDY_RADAR_API_PASSWORD)) && 'environment'
  return {
    status: {
      name: name ?? server.by,
      url,
      username: username ?? null,
      /** Location of the secret. */
      secret: fromEnv || (known?.secret ?? 'none'),
      current: isCurrent,
      works: error === undefined,
      problem: error === undefined ? null : `${errorTable[error.code].wire}: ${error.message}`,
      /** The API key in use, if the server returns it. */
      key: key ? { name: key.name, scope: key.scope, expires_at: key.expires_at } : null,
      /** The team that commands act for; null for the user's own account, or if the server has no teams. */
      team: team ?? null,
    },
    error,
  }
}

const teamColumn: Column<ServerStatus> = {
  title: titles.team,
  value: ({ team }) => (team ? `${team.name} (${team.role})` : null),
  min: 12,
}

function columns(io: Io, now: number, hasTeams: boolean): Column<ServerStatus>[] {
  return [
    { title: titles.name, value: member('name'), min: 12 },
    { title: titles.current, value: ({ current }) => (current ? 'yes' : '') },
    { title: titles.server, value: member('url'), min: 20 },
    { title: 'User', value: ({ username }) => username ?? '' },
    ...(hasTeams ? [teamColumn] : []),
    { title: 'Secret', value: member('secret') },
    { title: titles.scope, value: ({ key }) => key?.scope ?? null, from: 100 },
    {
      title: titles.expires,
      value: ({ key }) => (key ? expiryFor(key, { isTerminal: io.isTerminal, now }) : null),
      from: 100,
    },
    {
      title: 'Works',
      value: ({ works, problem }) => (works ? 'yes' : `no: ${problem}`),
      style: (cell, { works }) => paint(io, triedTone(works))(cell),
      min: 12,
    },
  ]
}
