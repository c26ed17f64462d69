import { closeSync, openSync, writeSync } from 'node:fs'
import type { StoreAdmin } from '../../../../admin/store.ts'
import { ReltError } from '../../../../errors.ts'
import { unwritable } from '../../../../util/file-error.ts'
import { count } from '../../../../util/words.ts'
import { titles } from '../../../../views/titles.ts'
import { member, show } from '../../../output/output.ts'
import { withProgressBar } from '../../../output/progress-bar.ts'
import { say, sayDone } from '../../../output/say.ts'
import { noun, verb } from '../../../program/verb.ts'
import { collect } from '../../scan/options.ts'
import { openAdmin } from '../command.ts'

const recoveryKit = verb({
  name: 'recovery-kit',
  summary: 'Export the master key, in plain text or for age recipients',
  examples: [
    'relt admin master-key recovery-kit',
    'relt admin master-key recovery-kit --out kit.txt',
    'relt admin master-key recovery-kit --recipient age1… --out kit.age',
  ],
  options: {
    '--out <file>': 'write the kit to a new file that only you can read',
    '--recipient <age1…>': { help: 'age recipient who can decrypt the kit (repeatable)', parse: collect },
    '--stdout': 'print the key even if standard output is not a terminal',
  },
  /** Requires an explicit target, so that the key does not end up in a pipe or log. Throws `usage`. */
  run: async (cli, options) => {
    const { out, recipient: recipients = [], stdout } = options
    const isShown = out === undefined && recipients.length === 0
    if (isShown && !stdout && !cli.io.isTerminal) {
      throw new ReltError('usage', 'Standard output is not a terminal, so the key would end up in a file or a pipe.', {
        hint: 'Use --out FILE or --recipient age1…, or confirm with --stdout.',
      })
    }
    const handle = out === undefined ? undefined : create(out)
    const kit = await (await (await openAdmin(cli)).store()).recoveryKit(recipients)
    if (handle === undefined) {
      return show(cli, { body: { success: true, ...kit }, verbatim: kit.text })
    }
    writeSync(handle, kit.text)
    closeSync(handle)
    const { text: _, ...about } = kit
    say(cli, `Wrote ${out}`)
    await show(cli, { body: { success: true, ...about, file: out }, text: () => '' })
  },
})

/** Creates a new file without following links. */
function create(file: string) {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (cause) {
    throw unwritable(file, cause, 'Choose another file.')
  }
}

type MasterKeyStatus = Awaited<ReturnType<StoreAdmin['masterKeyStatus']>>

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
      columns: () => [
        { title: 'Data key', value: member('id') },
        { title: 'Purpose', value: member('purpose') },
        { title: titles.state, value: member('state') },
        { title: titles.created, value: member('created_at') },
        { title: 'Retired', value: member('retired_at') },
        { title: 'Pieces', value: (key) => (key.purpose === 'seal' ? String(key.pieces) : null) },
      ],
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
    const result = await withProgressBar(cli.io, (show) =>
      store.reencrypt((done, total) => show(done, total, 'pieces')),
    )
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
