import type { VerifyResult } from '../../../admin/store-file.ts'
import { ReltError } from '../../../errors.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { andMore, count } from '../../../util/words.ts'
import { show } from '../../output/output.ts'
import { withProgressBar } from '../../output/progress-bar.ts'
import { warn } from '../../output/say.ts'
import { requireOwnStore } from '../../program/own-store.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'verify',
  summary: 'Verify a store or a backup, and decrypt all sealed data',
  examples: [
    'relt admin verify',
    'relt admin verify /backup/relt.db',
    'relt admin verify --data postgres://relt@db.example/relt',
  ],
  args: [['[file]', 'backup, or another copy of a store (default: the store itself)']],
  options: {
    '--unauthenticated': 'accept a copy that this store did not write',
  },
  /** Throws `unhealthy` if there are problems, and `key_unavailable` if sealed data could not be checked. */
  run: async (cli, file, options) => {
    const { data } = cli.flags
    const { unauthenticated: isUnauthenticated } = options
    await requireOwnStore(cli.context)
    const { verifyStore } = await import('../../../admin/store-file.ts')
    const found = await withProgressBar(cli.io, (show) => {
      const onProgress = (done: number, total: number) => show(done, total, 'pieces')
      return verifyStore(file, { env: cli.context.env, data, isUnauthenticated, onProgress })
    })
    const { problems, problems_count: wrong, pieces, counts, not_checked: unchecked } = found
    if (found.authenticated === false && isUnauthenticated) {
      warn(cli.io, `${found.file} was not written by this store, or not by this release: it may give access to others.`)
    }
    const more = wrong > problems.length ? `… ${andMore(wrong - problems.length)}\n` : ''
    await show(cli, {
      body: { success: wrong === 0 && found.not_decrypted === null, ...found },
      text: () =>
        wrong === 0
          ? `${found.file} is intact${found.not_decrypted === null ? `: ${count(counts?.run ?? 0, 'run')}, all encrypted data can be read (${count(pieces, 'part')})` : '; not decrypted'}.\n`
          : `${problems.map((problem) => `${plain(problem)}\n`).join('')}${more}`,
      note: unchecked.length > 0 && `Not checked: ${unchecked.join('; ')}.`,
    })
    if (wrong === 0 && found.not_decrypted !== null) throw notDecrypted(found)
    if (wrong === 0) return
    throw new ReltError('unhealthy', `${found.file} is damaged: ${count(wrong, 'problem')}.`, {
      hint: 'Keep a copy of it and restore a backup.',
    })
  },
})

/** Warns that sealed data was not verified. */
function notDecrypted({ not_decrypted: reason, master_key_id: id }: VerifyResult) {
  const key = id === null ? 'the master key of the store' : `the master key ${id}`
  return new ReltError('key_unavailable', `Sealed data was not checked. ${reason}`, {
    hint: `Only ${key} opens it: set RELT_MASTER_KEY to it, and verify again.`,
  })
}
