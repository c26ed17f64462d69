import { ReltError } from '../../../../errors.ts'
import { count } from '../../../../util/words.ts'
import { openProgressBar } from '../../../output/progress-bar.ts'
import { sayDone } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'

export default verb({
  name: 'reencrypt',
  summary: 'Re-encrypt all data with a new data key',
  examples: ['relt admin master-key reencrypt', 'relt admin master-key reencrypt --json'],
  epilog: `Running servers are not interrupted. If you stop the command, run it again to complete it. The old data key is deleted
at the end. After a rotation, first restart servers that still use the previous master key.`,
  run: async (cli) => {
    const store = await (await openAdmin(cli)).store()
    const bar = openProgressBar(cli.io)
    const result = await store.reencrypt((done, total) => bar.show(done, total, 'pieces')).finally(() => bar.close())
    const { new_key: isNew, pieces, damaged } = result
    const what = isNew ? 'Re-encrypted' : 'Completed an earlier re-encryption of'
    await sayDone(cli, `${what} ${count(pieces, 'piece')}`, { success: damaged.length === 0, ...result })
    if (damaged.length === 0) return
    throw new ReltError('unhealthy', `${count(damaged.length, 'piece')} could not be decrypted and stayed as before.`, {
      hint: 'Run `relt admin verify` to list them. Their data key was not deleted.',
    })
  },
})
