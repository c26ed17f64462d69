import type { StoreAdmin } from '../../../../admin/store.ts'
import type { Column } from '../../../../render/terminal/table.ts'
import { titles } from '../../../../views/titles.ts'
import { show } from '../../../output/output.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'

type MasterKeyStatus = Awaited<ReturnType<StoreAdmin['masterKeyStatus']>>
type DataKey = MasterKeyStatus['data_keys'][number]

export default verb({
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

export const placeNames: Record<NonNullable<MasterKeyStatus['master_key']>['place'], string> = {
  env: 'in RELT_MASTER_KEY',
  command: 'from RELT_MASTER_KEY_COMMAND',
  keychain: 'in the keychain',
  file: 'in master.key',
}

const columns: Column<DataKey>[] = [
  { title: 'Data key', value: (key) => key.id },
  { title: 'Purpose', value: (key) => key.purpose },
  { title: titles.state, value: (key) => key.state },
  { title: titles.created, value: (key) => key.created_at },
  { title: 'Retired', value: (key) => key.retired_at },
  { title: 'Pieces', value: (key) => (key.purpose === 'seal' ? String(key.pieces) : null) },
]
