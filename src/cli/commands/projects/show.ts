import type { ReceivedProjectDetail, ReceivedRelease } from '../../../contract/received/catalog.ts'
import type { FollowedProject } from '../../../contract/team.ts'
import { unlessCancelled } from '../../../errors.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { when } from '../../../util/ago.ts'
import { renderDetails } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { findTeams } from '../teams/current.ts'
import { followedBy } from '../teams/view.ts'
import { chooseProject, resolveProject } from './resolve.ts'

export default verb({
  name: 'show',
  summary: 'Show a project and its newest releases',
  examples: ['relt projects show argo-cd', 'relt projects show 42'],
  args: [['[project]', 'slug, name or id']],
  run: async (cli, idOrName) => {
    const id = await resolveProject(cli, idOrName ?? (await chooseProject(cli)))
    const answer = await cli.call('getProject', { params: { id } })
    // Undefined also if the server does not return it.
    const followers = await findFollowers(cli, answer.product.id).catch(unlessCancelled(undefined))
    await show(cli, {
      body: { ...answer, ...(followers && { followers: followers.followers, by_team: followers.by_team ?? false }) },
      text: (io, now) => renderProject(io, answer.product, { followers, now }),
    })
  },
})

type Followers = Pick<FollowedProject, 'followers' | 'by_team'>

/** Whether the current team subscribes, and which of its members do. Undefined without a team. */
async function findFollowers(cli: Cli, product_id: number) {
  const { current } = await findTeams(cli)
  if (!current) return undefined
  const { items } = await cli.call('listTeamSubscriptions', { params: { team: current.name }, query: { product_id } })
  return items[0] ?? { followers: [], by_team: false }
}

function renderProject(
  io: Io,
  product: ReceivedProjectDetail,
  { followers, now }: { followers: Followers | undefined; now: number },
) {
  const { color } = io
  const lines: [string, string][] = [
    ['Category', plain(`${product.category}, ${product.cncf_status}`)],
    ['Home', plain(product.homepage)],
    ['Docs', plain(product.docs_url ?? '')],
    ['Repository', plain(product.repo_url)],
    ['Charts', plain(product.helm_chart_repo ?? '')],
    ['Releases', describe(io, product.releases.app, now)],
    ['Chart releases', describe(io, product.releases.helm, now)],
    ['Pre-releases', describe(io, product.releases.pre, now)],
    ['Followed by', followers === undefined ? '' : plain(followedBy(followers) || 'neither the team nor a member')],
  ]
  return [
    `${color.bold(plain(product.name))} ${color.dim(`(${product.id})`)}\n${plain(product.description)}\n\n`,
    renderDetails(
      io,
      lines.filter(([, text]) => text),
    ),
  ].join('')
}

function describe(io: Io, releases: ReceivedRelease[], now: number) {
  return releases
    .slice(0, 3)
    .map(({ version, published_at }) => {
      const published = when(published_at, { isTerminal: io.isTerminal, now }) ?? '-'
      return `${plain(version)} (${plain(published)})`
    })
    .join(', ')
}
