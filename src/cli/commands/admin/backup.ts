import { InvalidArgumentError } from 'commander'
import { count } from '../../../util/words.ts'
import { show } from '../../output/output.ts'
import { say, warn } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { openAdmin } from './command.ts'

export default verb({
  name: 'backup',
  summary: 'Back up the store to a file',
  examples: [
    'relt admin backup /backup/relt.db',
    'relt admin backup /backup/relt.db --force',
    'relt admin backup /backup/relt.db --keep 7',
    'relt admin backup /backup/relt.db --data /var/lib/relt',
  ],
  args: [['<file>', 'backup file']],
  options: {
    '--keep <number>': { help: 'add the time to the name and keep this many backups', parse: readKeep },
    '-f, --force': 'replace an existing backup',
  },
  epilog:
    'Running servers are not interrupted. The backup does not contain the master key; see\n`relt admin master-key recovery-kit`.',
  run: async (cli, file, { keep, force }) => {
    const store = await (await openAdmin(cli)).store()
    const backup = await store.backUp(file, { keep, isForced: force })
    const { master_key_id: key, counts } = backup.manifest
    say(cli, `Backed up ${count(counts.run, 'run')}, ${(backup.bytes / 1e6).toFixed(1)} MB, to ${backup.file}`)
    for (const each of backup.removed) say(cli, `Removed ${each}`)
    if (!backup.isRecorded) warn(cli.io, 'The audit has no entry of this backup: the store cannot be written.')
    const { id: _, ...manifest } = backup.manifest
    await show(cli, {
      body: { success: true, file: backup.file, bytes: backup.bytes, removed: backup.removed, ...manifest },
      text: () => '',
      ...(key !== null && { note: `To read it you need the master key ${key}, which it does not contain.` }),
    })
  },
})

function readKeep(text: string): number {
  const value = Number(text)
  if (/^\d{1,4}$/.test(text) && value >= 1) return value
  throw new InvalidArgumentError('Use a number from 1 to 9999.')
}
