import type { ReceivedApiKey } from '../../../contract/received/api-key.ts'
import { type ResolvableKind, resolve } from '../../input/resolve.ts'
import type { Cli } from '../../program/command.ts'

const keys: ResolvableKind<ReceivedApiKey> = {
  kind: 'key',
  load: async (client) => (await client.call('listKeys', {})).keys,
  describe: ({ uuid, name, created }) => ({ id: uuid, name, about: `${uuid}, created ${created}` }),
  hint: 'List them: relt keys list',
  isSecret: true,
}

/** Finds a key by uuid or name; on a terminal, without either, from a list. */
export function findKey(cli: Cli, uuidOrName: string | undefined): Promise<ReceivedApiKey> {
  return resolve(cli, uuidOrName, keys)
}
