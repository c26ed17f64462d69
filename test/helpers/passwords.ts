import { openAdmin } from '../../src/admin/admin.ts'
import type { Env } from '../../src/config/env.ts'
import { now } from '../operations/service.ts'

/** Sets the password of accounts in the store of an environment, as `relt admin` does; an account that is missing is added. */
export async function setPasswords(env: Env, logins: string[], password: string): Promise<void> {
  const admin = await openAdmin({ env: { RELT_KEYCHAIN: 'off', ...env }, now: () => now })
  const known = (await admin.listUsers()).map(({ login }) => login)
  for (const login of logins) {
    if (!known.includes(login)) await admin.addUser({ login, role: 'user', plan: 'pro' })
    await admin.setPassword(login, password)
  }
  await admin.close()
}
