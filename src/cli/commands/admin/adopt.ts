import { ReltError } from '../../../errors.ts'
import { count } from '../../../util/words.ts'
import { show } from '../../output/output.ts'
import { note } from '../../output/remarks.ts'
import { say } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { openAdmin } from './command.ts'

export default verb({
  name: 'adopt',
  summary: 'Transfer the clusters and scan profiles of a user to a team',
  examples: ['relt admin adopt --local-user --team platform', 'relt admin adopt --user ada --team platform'],
  options: {
    '--local-user': 'adopt the runs that this machine uploaded without a server',
    '--user <login>': 'user whose clusters and profiles the team adopts',
  },
  epilog:
    'Runs of a cluster that the team has, too, join its runs. Runs that the team has already are not stored twice.',
  run: async (cli, { localUser, user }) => {
    const { team } = cli.flags
    if ((localUser === true) === (user !== undefined)) {
      throw new ReltError('usage', 'Add either --local-user or --user LOGIN.')
    }
    if (team === undefined) throw new ReltError('usage', 'Name the team that adopts the clusters: --team NAME.')
    const result = await (await (await openAdmin(cli)).teams()).adopt(user, team)
    const { clusters, merged, runs, duplicates, profiles, exceptions, renamed } = result
    const nothing =
      clusters + profiles + exceptions === 0 && `${user ?? 'The local user'} owns no clusters, profiles or exceptions`
    say(
      cli,
      nothing ||
        `Team ${team} now has ${count(runs, 'more run')} of ${count(clusters, 'cluster')}, ${count(profiles, 'profile')}`,
    )
    const remarks = [
      ...(exceptions > 0 ? [note(`Exceptions that are now the team's: ${exceptions}`)] : []),
      ...(merged > 0 ? [note(`Merged into existing clusters: ${merged}`)] : []),
      ...(duplicates > 0 ? [note(`Removed as duplicates of the team's runs: ${duplicates}`)] : []),
      ...renamed.map(({ from, to }) => note(`Renamed the profile ${from} to ${to}: the team has one of that name`)),
    ]
    await show(cli, { body: result, remarks })
  },
})
