import { askSecret, readSecret } from '../../input/secret.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'set-smtp-password',
  summary: 'Store the password of the mail server in the keychain',
  examples: [
    'RELT_SMTP_URL=smtp://user@mail.example.com relt notify set-smtp-password',
    'pass show smtp | relt notify set-smtp-password --secret-file -',
  ],
  options: {
    '--secret-file <file>': 'read the password from the first line of a file; - for standard input',
  },
  epilog: 'It belongs to the user and server of RELT_SMTP_URL. RELT_SMTP_PASSWORD_FILE takes precedence.',
  run: async (cli, { secretFile }) => {
    const what = 'password of the mail server'
    const password = secretFile === undefined ? await askSecret(cli, what) : await readSecret(cli, secretFile, what)
    const { keepSmtpPassword } = await import('../../../config/smtp-password.ts')
    const owner = await keepSmtpPassword(cli.context.env, password)
    await sayDone(cli, `Stored the password of ${owner}`, { success: true, password_of: owner })
  },
})
