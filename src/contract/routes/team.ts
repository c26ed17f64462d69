import * as z from 'zod/mini'
import { toRoutes } from '../route.ts'
import { documented, paging, success, toPage, whole } from '../shape.ts'
import { FollowedProject, TeamDetails, TeamMemberInput, TeamRoleInput } from '../team.ts'

const team = documented(z.string(), { type: 'string', pattern: '^[a-z0-9][a-z0-9._-]{0,59}$' })
const oneTeam = z.object({ team })
const oneMember = z.object({ team, login: documented(z.string(), { type: 'string', minLength: 1, maxLength: 100 }) })

const SavedTeam = z.extend(TeamDetails, success)
const saved = { components: { answer: 'TeamSaved' }, answer: SavedTeam, conflicts: true, access: 'pro' } as const

/**
 * For members of a team; only owners change them. The team is in the path, so the team that the caller acts for is
 * irrelevant.
 */
export const teamRoutes = toRoutes({
  getTeam: {
    method: 'GET',
    path: '/teams/{team}',
    summary: 'Get team with its members',
    params: oneTeam,
    answer: TeamDetails,
    extension: true,
  },
  listTeamSubscriptions: {
    method: 'GET',
    path: '/teams/{team}/subscriptions',
    summary: 'List projects that a team or its members follow',
    components: { answer: 'FollowedProjects' },
    params: oneTeam,
    query: z.object({
      product_id: z.optional(whole({ min: 1, max: Number.MAX_SAFE_INTEGER })),
      ...paging,
    }),
    answer: toPage(FollowedProject),
    extension: true,
  },
  addTeamMember: {
    ...saved,
    method: 'POST',
    path: '/teams/{team}/members',
    summary: 'Add an account to a team',
    params: oneTeam,
    body: TeamMemberInput,
    audit: 'team.add-member',
    extension: true,
  },
  setTeamRole: {
    ...saved,
    method: 'PUT',
    path: '/teams/{team}/members/{login}',
    summary: 'Change the role of a member',
    params: oneMember,
    body: TeamRoleInput,
    audit: 'team.set-role',
    extension: true,
  },
  removeTeamMember: {
    ...saved,
    method: 'DELETE',
    path: '/teams/{team}/members/{login}',
    summary: 'Remove a member from a team',
    params: oneMember,
    audit: 'team.remove-member',
    extension: true,
  },
})
