import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { findProgram } from '../../../../src/util/exec.ts'
import { temporaryFolder } from '../../../helpers/cli.ts'
import { reltFile, start } from '../../../helpers/process.ts'
import { listen } from '../../../notify/helpers/receiver.ts'

const missing = ['dbus-run-session', 'gnome-keyring-daemon'].find((name) => !findProgram(name, process.env))
if (missing) console.warn(`skipped: no ${missing} for the Secret Service`)

/** A session bus with the Secret Service of GNOME, whose keyring the password unlocks. */
const toSession = (keyringPassword: string) => {
  const unlock = `printf %s '${keyringPassword}' | gnome-keyring-daemon --unlock --components=secrets`
  return ['dbus-run-session', '--', 'sh', '-c', `${unlock} >/dev/null 2>&1 && exec "$@"`, 'sh']
}

async function openMailServer(users: Record<string, string>) {
  const [mails, signedIn]: [Email[], string[]] = [[], []]
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth({ username = '', password }, _, then) {
      if (password === undefined || users[username] !== password) return then(new Error('wrong password'))
      signedIn.push(username)
      then(null, { user: username })
    },
    async onData(stream, _, then) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      mails.push(await PostalMime.parse(Buffer.concat(chunks)))
      then()
    },
  })
  server.on('error', () => undefined)
  return { port: await listen(server.server, '127.0.0.1'), mails, signedIn }
}

test.skipIf(missing)('a mail is sent with the password that the Secret Service has', async () => {
  const [home, account, runtime] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  chmodSync(runtime, 0o700)
  const { port, mails, signedIn } = await openMailServer({ ada: 'größe 1' })
  const env = {
    ...{ RELT_HOME: home, HOME: account, XDG_RUNTIME_DIR: runtime, RELT_KEYCHAIN: '' },
    ...{ RELT_SMTP_URL: `smtp://ada@127.0.0.1:${port}`, RELT_SMTP_FROM: 'relt@relt.example' },
  }
  const relt = async (line: string, within: string[]) => {
    const { code, stdout, stderr } = await start(reltFile, line.split(' '), env, within).finished
    // A session bus that may not raise its limits says so.
    return { code, output: (stdout + stderr).replace(/^dbus-daemon.*\n/m, '') }
  }
  const session = toSession('keyring')
  const secret = join(account, 'secret')
  writeFileSync(secret, 'größe 1\n', { mode: 0o600 })

  expect(await relt(`notify set-smtp-password --secret-file ${secret}`, session)).toEqual({
    code: 0,
    output: `✓ Stored the password of ada at 127.0.0.1:${port}\n`,
  })
  expect(await relt('admin users set-email local ada@example.com', session)).toMatchObject({ code: 0 })
  // Without the session, nothing has the password.
  expect(await relt('notify test --channel email', [])).toMatchObject({ code: 1 })
  expect([mails, signedIn]).toEqual([[], []])
  expect(await relt('notify test --channel email', session)).toMatchObject({ code: 0 })
  expect(mails.map(({ to }) => to?.[0]?.address)).toEqual(['ada@example.com'])
  expect(signedIn).toEqual(['ada'])
})
