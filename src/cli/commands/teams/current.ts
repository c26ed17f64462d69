import { ownAccount } from '../../../contract/choices.ts'
import { ReltError } from '../../../errors.ts'
import type { Cli } from '../../program/command.ts'

/** The teams of the caller, and the one that this command acts for: null for their own account. Throws `not_found` without teams. */
export async function findTeams({ call }: Cli) {
  const { team: current = null, teams } = await call('getCurrentKey', {})
  if (teams) return { current, teams }
  throw new ReltError('not_found', 'The server has no teams.')
}

/** The named team, or the one that this command acts for. Throws `usage` in the user's own account. */
export async function chooseTeam(cli: Cli, named?: string) {
  if (named !== undefined) return named
  const { current, teams } = await findTeams(cli)
  if (current) return current.name
  const names = teams.map(({ name }) => name)
  throw new ReltError('usage', 'You act for your own account, not for a team.', {
    hint:
      names.length > 0
        ? `Name one of your teams: ${names.join(', ')}`
        : 'You are in no team. The admin of the server adds you.',
  })
}

/** Account whose subscriptions and notifications the command uses: a team only if explicitly chosen. */
export async function accountName(cli: Cli) {
  const team = await chosenTeam(cli)
  return team === undefined ? 'your account' : `team ${team}`
}

export async function chosenTeam({ context }: Cli) {
  const team = (await context.server())?.team
  return team === ownAccount ? undefined : team
}

/**
 * A client for the team in a file, or else for the owner that this command acts for. Throws `usage` if the command names
 * another team.
 */
export async function clientOfFile(cli: Cli, team: string | undefined) {
  if (team === undefined) return cli.context.client()
  const server = await cli.context.server()
  if (server?.team !== undefined && server.team !== team) {
    throw new ReltError('usage', `The file is for team ${team}, and this call acts for ${server.team}.`, {
      hint: 'Leave out --team, or unset RELT_TEAM.',
    })
  }
  return clientFor(cli, team)
}

/** A client that acts for the team, even if it is the default one. */
export async function clientFor({ context }: Cli, team: string) {
  const server = await context.server()
  if (!server) throw new ReltError('usage', 'A team needs a server: the store on this machine belongs to one user.')
  if (server.team === team) return context.client()
  return (await context.toClient(server.url, { team })).client
}
