import { ReltError } from '../../../errors.ts'
import { count } from '../../../util/words.ts'
import { titles } from '../../../views/titles.ts'
import { member, show } from '../../output/output.ts'
import { pageOptions } from '../../output/page.ts'
import { note } from '../../output/remarks.ts'
import { say, warn } from '../../output/say.ts'
import { noun, verb } from '../../program/verb.ts'
import { openAdmin } from './command.ts'
import masterKey from './master-key/noun.ts'
import restore from './restore.ts'
import retention from './retention/noun.ts'
import store from './store/noun.ts'
import users from './users/noun.ts'
import verify from './verify.ts'

export const audit = verb({
  name: 'audit',
  summary: 'List audit entries, newest first',
  examples: ['relt admin audit', 'relt admin audit --user ada --limit 100'],
  options: {
    '-u, --user <name>': 'only actions of this user',
    ...pageOptions,
  },
  run: async (cli, options) => {
    const { user, limit = 20, page = 1 } = options
    const found = await (await openAdmin(cli)).listAudit({ login: user }, { page, perPage: limit })
    await show(cli, {
      body: found,
      rows: found.items,
      columns: () => [
        { title: titles.time, value: member('at') },
        { title: titles.account, value: member('login'), min: 8 },
        { title: titles.action, value: member('action') },
        { title: titles.subject, value: member('subject'), min: 8 },
        { title: titles.request, value: member('request_id'), from: 120, min: 8 },
      ],
      empty: 'No audit entries.',
      page: found,
    })
  },
})

const adopt = verb({
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
    await show(cli, {
      body: result,
      remarks: [
        exceptions > 0 && note(`Exceptions that are now the team's: ${exceptions}`),
        merged > 0 && note(`Merged into existing clusters: ${merged}`),
        duplicates > 0 && note(`Removed as duplicates of the team's runs: ${duplicates}`),
        ...renamed.map(({ from, to }) => note(`Renamed the profile ${from} to ${to}: the team has one of that name`)),
      ],
    })
  },
})

const backup = verb({
  name: 'backup',
  summary: 'Back up the store to a file',
  examples: [
    'relt admin backup /backup/relt.db',
    'relt admin backup /backup/relt.db --force',
    'relt admin backup /backup/relt.db --data /var/lib/relt',
  ],
  args: [['<file>', 'backup file']],
  options: {
    '-f, --force': 'replace an existing backup',
  },
  epilog:
    'Running servers are not interrupted. The backup does not contain the master key; see\n`relt admin master-key recovery-kit`.',
  run: async (cli, file, { force }) => {
    const store = await (await openAdmin(cli)).store()
    const backup = await store.backUp(file, { isForced: force })
    const { master_key_id: key, counts } = backup.manifest
    say(cli, `Backed up ${count(counts.run, 'run')}, ${(backup.bytes / 1e6).toFixed(1)} MB, to ${backup.file}`)
    if (!backup.isRecorded) warn(cli.io, 'The audit has no entry of this backup: the store cannot be written.')
    const { id: _, ...manifest } = backup.manifest
    await show(cli, {
      body: { success: true, file: backup.file, bytes: backup.bytes, ...manifest },
      text: () => '',
      note: key !== null && `To read it you need the master key ${key}, which it does not contain.`,
    })
  },
})

export default noun({
  examples: ['relt admin users add ada --plan pro', 'relt admin audit --user ada'],
  options: {
    '--data <folder>': 'data folder or postgres:// address of the store (default: RELT_HOME, or the platform default)',
  },
  epilog: 'These commands use the store on this machine. If a server is selected, add --local or --data.',
  verbs: [users, adopt, audit, retention, backup, restore, verify, store, masterKey],
})
