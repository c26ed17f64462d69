import { createLocalClient } from '../../src/client/local.ts'
import type { Env } from '../../src/config/env.ts'
import type { ApiKeyInput } from '../../src/contract/api-key.ts'

/** The password of a new key, which the operator of a store makes for one of its users. */
export async function createKey(
  store: { env: Env; now: () => number; folder?: string },
  login: string,
  wanted: Partial<Pick<ApiKeyInput, 'name' | 'scope'>> = {},
): Promise<string> {
  const client = await createLocalClient({ ...store, data: store.folder, as: login })
  const { password } = await client.call('createKey', { body: { name: 'test', ...wanted } })
  await client.close()
  return password
}
