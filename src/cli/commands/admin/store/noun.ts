import { ReltError } from '../../../../errors.ts'
import { interruptible } from '../../../../util/interrupt.ts'
import { count } from '../../../../util/words.ts'
import { show } from '../../../output/output.ts'
import { withProgressBar } from '../../../output/progress-bar.ts'
import { say } from '../../../output/say.ts'
import { requireOwnStore } from '../../../program/own-store.ts'
import { noun, verb } from '../../../program/verb.ts'
import { warnOfMissingKey } from '../say-master-key.ts'

export const copy = verb({
  name: 'copy',
  summary: 'Copy a store to an empty folder or database',
  examples: [
    'relt admin store copy --from /var/lib/relt --to postgres://relt@db.example/relt',
    'relt admin store copy --from postgres://relt@db.example/relt --to /var/lib/relt',
    'relt admin store copy --from /var/lib/relt',
  ],
  options: {
    '--from <store>': 'data folder, file or postgres:// address of the source (default: the store in use)',
    '--to <store>': 'data folder or postgres:// address of the copy (default: the store in use)',
  },
  epilog: `The copy is the source as of one moment. It appears whole or not at all: counts and SHA-256 of all tables are compared
first. The source is not changed. The master key is not copied; see \`relt admin master-key recovery-kit\`.
Passwords of databases come from RELT_DATABASE_PASSWORD_FILE, PGPASSFILE or PGPASSWORD.`,
  run: async (cli, { from, to }) => {
    if (cli.flags.data !== undefined) {
      throw new ReltError('usage', 'Name the stores with --from and --to instead of --data.')
    }
    if (from === undefined && to === undefined) {
      throw new ReltError('usage', 'Name the source with --from, the copy with --to, or both.')
    }
    // If a server is selected, the store in use is the server's.
    if (from === undefined || to === undefined) await requireOwnStore(cli.context)
    const { copyStoreBetween } = await import('../../../../admin/store-copy.ts')
    const copied = await withProgressBar(cli.io, (show) => {
      const onProgress = (done: number, total: number, table: string) => show(done, total, `rows, ${table}`)
      return interruptible((signal) => copyStoreBetween({ env: cli.context.env, from, to, signal, onProgress }))
    })
    const { rows, tables, master_key: master } = copied
    say(cli, `Copied ${count(rows, 'row')} of ${count(tables.length, 'table')} from ${copied.from} to ${copied.to}`)
    warnOfMissingKey(cli.io, master)
    await show(cli, {
      body: { success: true, ...copied },
      text: () => '',
      ...(master?.available && { note: `The master key ${master.id} is available.` }),
    })
  },
})

export default noun({
  name: 'store',
  summary: 'Copy whole stores',
  examples: ['relt admin store copy --from /var/lib/relt --to postgres://relt@db.example/relt'],
  verbs: [copy],
})
