import type { ReceivedKey } from '../../../contract/received/api-key.ts'
import type { Membership } from '../../../contract/team.ts'
import { ReltError } from '../../../errors.ts'
import type { Cli } from '../../program/command.ts'

interface Teams {
  /** The one that this call acts for; null for the own account. */
  current: NonNullable<ReceivedKey['team']> | null
  teams: Membership[]
}

/** The teams of the caller. Throws `not_found` where the server has none. */
export async function findTeams({ context }: Cli): Promise<Teams> {
  const client = await context.client()
  const { team = null, teams } = await client.call('getCurrentKey', {})
  if (teams) return { current: team, teams }
  throw new ReltError('not_found', 'The server has no teams.')
}

/** The named team, else the one that this call acts for. Throws `usage` in the own account. */
export async function chooseTeam(cli: Cli, named?: string): Promise<string> {
  if (named !== undefined) return named
  const { current, teams } = await findTeams(cli)
  if (current) return current.name
  const names = teams.map(({ name }) => name)
  throw new ReltError('usage', 'You act for your own account, not for a team.', {
    hint:
      names.length > 0
        ? `Choose a team: --team ${names.join(', --team ')}`
        : 'You are in no team. The admin of the server adds you.',
  })
}
