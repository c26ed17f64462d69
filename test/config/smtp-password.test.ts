import { expect, test, vi } from 'vitest'
import { readDeliverySettings } from '../../src/config/delivery.ts'
import * as keychains from '../../src/config/keychain.ts'
import { keepSmtpPassword, withSmtpPassword } from '../../src/config/smtp-password.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'

const kept = new Map<string, string>()
vi.spyOn(keychains, 'openKeychain').mockResolvedValue({
  get: async (name) => kept.get(name),
  set: async (name, secret) => void kept.set(name, secret),
  remove: async (name) => void kept.delete(name),
})
vi.mock('../../src/config/keychain.ts', { spy: true })

const env = { RELT_SMTP_URL: 'smtp://ada@mail.example:2525', RELT_SMTP_FROM: 'relt@mail.example' }
const passwordFor = async (more: object = {}) => {
  const all = { ...env, ...more }
  return (await withSmtpPassword(all, readDeliverySettings(all).mail!)).password
}

test('the keychain has a password for one user of one mail server', async () => {
  expect(await passwordFor()).toBeUndefined()
  expect(await keepSmtpPassword(env, 'secret')).toBe('ada at mail.example:2525')
  expect(await passwordFor()).toBe('secret')
  expect(await passwordFor({ RELT_SMTP_URL: 'smtp://ada@other.example:2525' })).toBeUndefined()
  expect(await passwordFor({ RELT_SMTP_URL: 'smtp://bob@mail.example:2525' })).toBeUndefined()
  expect(await passwordFor({ RELT_SMTP_URL: 'smtp://mail.example:2525' })).toBeUndefined()
  expect(await passwordFor({ RELT_KEYCHAIN: 'off' })).toBeUndefined()
})

test('relt notify set-smtp-password stores it, and says what to do where it cannot', async () => {
  const run = (more: Record<string, string>) =>
    runCli(['notify', 'set-smtp-password', '--secret-file', '-'], {
      home: temporaryFolder(),
      stdin: 'other\n',
      env: { ...env, RELT_KEYCHAIN: '', ...more },
    })
  const { code, stderr } = await run({})
  expect([code, stderr]).toEqual([0, '✓ Stored the password of ada at mail.example:2525\n'])
  expect(await passwordFor()).toBe('other')
  expect(await run({ RELT_KEYCHAIN: 'off' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('set RELT_SMTP_PASSWORD_FILE'),
  })
  expect(await run({ RELT_SMTP_URL: 'smtp://mail.example' })).toMatchObject({ code: 2 })
})
