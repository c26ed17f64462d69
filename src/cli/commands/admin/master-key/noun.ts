import type { StoreAdmin } from '../../../../admin/store.ts'
import { ReltError } from '../../../../errors.ts'
import type { Column } from '../../../../render/terminal/table.ts'
import { count } from '../../../../util/words.ts'
import { show } from '../../../output/output.ts'
import { openProgressBar } from '../../../output/progress-bar.ts'
import { say, sayDone } from '../../../output/say.ts'
import { noun, verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'
import recoveryKit from './recovery-kit.ts'

type MasterKeyStatus = Awaited<ReturnType<StoreAdmin['masterKeyStatus']>>
type DataKey = MasterKeyStatus['data_keys'][number]

const status = verb({
  name: 'status',
  summary: 'Show the master key and the data keys',
  examples: ['relt admin master-key status', 'relt admin master-key status --json'],
  run: async (cli) => {
    const status = await (await (await openAdmin(cli)).store()).masterKeyStatus()
    const { master_key: master, data_keys: keys } = status
    if (master) {
      cli.io.err(`Master key ${master.id}, ${placeNames[master.place]}\n`)
      if (master.error !== null) cli.io.err(`Not available: ${master.error}\n`)
    }
    await show(cli, {
      body: status,
      rows: keys,
      columns: () => columns,
      empty: 'No key yet. The first upload creates one.',
    })
  },
})

const placeNames: Record<NonNullable<MasterKeyStatus['master_key']>['place'], string> = {
  env: 'in RELT_MASTER_KEY',
  command: 'from RELT_MASTER_KEY_COMMAND',
  keychain: 'in the keychain',
  file: 'in master.key',
}

const columns: Column<DataKey>[] = [
  { title: 'Data key', value: (key) => key.id },
  { title: 'Purpose', value: (key) => key.purpose },
  { title: 'State', value: (key) => key.state },
  { title: 'Created', value: (key) => key.created_at },
  { title: 'Retired', value: (key) => key.retired_at ?? '-' },
  { title: 'Pieces', value: (key) => (key.purpose === 'seal' ? String(key.pieces) : '-') },
]

const rotate = verb({
  name: 'rotate',
  summary: 'Replace the master key',
  examples: [
    'relt admin master-key rotate',
    'RELT_MASTER_KEY=$NEW RELT_MASTER_KEY_PREVIOUS=$OLD relt admin master-key rotate',
  ],
  epilog: `Only the data keys are encrypted again, so this takes no time. If RELT_MASTER_KEY or RELT_MASTER_KEY_COMMAND provides
the master key, let it provide the new key, and set RELT_MASTER_KEY_PREVIOUS to the current one. Otherwise relt creates
a new key in the keychain or in master.key and deletes the current one. Existing backups need the current key: create a
recovery kit first if you still need them.`,
  run: async (cli) => {
    const { previous, current } = await (await (await openAdmin(cli)).store()).rotateMasterKey()
    say(cli, `Rotated the master key: ${current.id}, ${placeNames[current.place]}`)
    await show(cli, {
      body: { success: true, previous, current },
      text: () => '',
      note: `Existing backups need the previous key ${previous.id}. Create a new backup.`,
    })
  },
})

const reencrypt = verb({
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

export default noun({
  name: 'master-key',
  summary: 'Manage the master key and the data keys',
  examples: [
    'relt admin master-key status',
    'relt admin master-key rotate',
    'relt admin master-key recovery-kit --recipient age1…',
  ],
  verbs: [status, rotate, reencrypt, recoveryKit],
})
