import { interruptible } from '../../../../util/interrupt.ts'
import { count } from '../../../../util/words.ts'
import { show } from '../../../output/output.ts'
import { withProgressBar } from '../../../output/progress-bar.ts'
import { say } from '../../../output/say.ts'
import { noun, verb } from '../../../program/verb.ts'
import { warnOfMissingKey } from '../say-master-key.ts'

const copy = verb({
  name: 'copy',
  summary: 'Copy a store to an empty PostgreSQL database',
  examples: [
    'relt admin store copy --to postgres://relt@db.example/relt',
    'relt admin store copy --data /var/lib/relt --to postgres://relt@db.example/relt',
  ],
  options: {
    '--to <address>': 'postgres:// address of an empty database (default: RELT_DATABASE_URL)',
  },
  epilog: `The copy is the store as of one moment. It appears whole or not at all. The source is not changed. The master key is not
copied; see \`relt admin master-key recovery-kit\`. The password comes from RELT_DATABASE_PASSWORD_FILE, PGPASSFILE or PGPASSWORD.`,
  run: async (cli, { to }) => {
    const { env } = cli.context
    const { copyStore } = await import('../../../../admin/store-copy.ts')
    const copied = await withProgressBar(cli.io, (show) => {
      const onProgress = (done: number, total: number, table: string) => show(done, total, `rows, ${table}`)
      return interruptible((signal) => copyStore({ env, data: cli.flags.data, to, signal, onProgress }))
    })
    const { rows, tables, master_key: master } = copied
    say(cli, `Copied ${count(rows, 'row')} of ${count(tables.length, 'table')} from ${copied.from} to ${copied.to}`)
    warnOfMissingKey(cli.io, master)
    await show(cli, {
      body: { success: true, ...copied },
      text: () => '',
      note: [
        ...(master?.available ? [`The master key ${master.id} is available.`] : []),
        `Verify the copy: relt admin verify --data ${copied.to}`,
      ],
    })
  },
})

export default noun({
  name: 'store',
  summary: 'Copy whole stores',
  examples: ['relt admin store copy --to postgres://relt@db.example/relt'],
  verbs: [copy],
})
