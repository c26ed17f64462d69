import type { RestoreResult } from '../../../admin/store-file.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { count } from '../../../util/words.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import { requireOwnStore } from '../../program/own-store.ts'
import { verb } from '../../program/verb.ts'
import { warnOfMissingKey } from './say-master-key.ts'

export default verb({
  name: 'restore',
  summary: 'Restore a backup into an empty data folder',
  examples: [
    'relt admin restore /backup/relt.db',
    'relt admin restore /backup/relt.db --data /var/lib/relt',
    'relt admin restore /backup/relt.db --replaces /srv/old/relt.db',
  ],
  args: [['<file>', 'backup, or another copy of a store']],
  options: {
    '--replaces <store>': 'file or folder of the store that it replaces: list what grants access and differs',
    '--unauthenticated': 'accept a copy that this store did not write',
  },
  run: async (cli, file, options) => {
    const { data } = cli.flags
    const { replaces, unauthenticated: isUnauthenticated } = options
    await requireOwnStore(cli.context)
    const { restoreStore } = await import('../../../admin/store-file.ts')
    const restored = await restoreStore(file, { env: cli.context.env, data, replaces, isUnauthenticated })
    const { store, counts, made_at: madeAt, master_key: master } = restored
    say(cli, `Restored ${count(counts.run, 'run')} to ${store}`)
    if (madeAt === null) cli.io.err('The file has no manifest, so only its structure was checked.\n')
    warnOfMissingKey(cli.io, master)
    for (const line of authorLines(restored)) cli.io.err(`${line}\n`)
    for (const line of grantLines(restored)) cli.io.err(`${plain(line)}\n`)
    await show(cli, {
      body: { success: true, ...restored },
      text: () => '',
      note: master?.available && `The master key ${master.id} is available.`,
    })
  },
})

function authorLines({ authenticated, master_key: master }: RestoreResult) {
  if (authenticated === true || master === null) return []
  const why = authenticated === null ? 'its key is not available' : 'you added --unauthenticated'
  return [
    `NOT AUTHENTICATED: ${why}, so whoever wrote the file may have given access to others.`,
    'Check the accounts: relt admin users list, relt admin verify',
  ]
}

const signs = { added: '+', removed: '-', changed: '~' } as const

/** Administrators of the restored store, and differences in access from the replaced one. */
function grantLines({ administrators, differences }: RestoreResult) {
  const admins = `Administrators: ${administrators.join(', ') || 'none'}`
  if (!differences) return [admins]
  const kinds = Object.keys(signs) as (keyof typeof signs)[]
  const lines = kinds.flatMap((kind) => differences[kind].map((what) => `  ${signs[kind]} ${what}`))
  return [
    admins,
    lines.length > 0 ? 'Differs from the store that it replaces:' : 'Access is as in the store before.',
    ...lines,
  ]
}
