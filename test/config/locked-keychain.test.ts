import { expect, test, vi } from 'vitest'
import { openKeychain } from '../../src/config/keychain.ts'
import { temporaryFolder } from '../helpers/cli.ts'

const forever = () => new Promise<never>(() => {})
vi.mock('@napi-rs/keyring', () => ({
  AsyncEntry: class {
    getPassword = forever
    setPassword = forever
    deleteCredential = forever
  },
}))

test('a keychain whose owner is not there to unlock it is given up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const keychain = (await openKeychain(temporaryFolder()))!
    const tried = [keychain.get('a'), keychain.set('a', 'b'), keychain.remove('a')].map((call) =>
      call.then(
        () => 'done',
        (error: Error) => error.message,
      ),
    )
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await Promise.all(tried)).toEqual(Array(3).fill('it did not answer in 10 seconds'))
  } finally {
    vi.useRealTimers()
  }
})
