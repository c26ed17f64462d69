import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'
import { placeNames } from './status.ts'

export default verb({
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
