import { ReltError } from '../../../errors.ts'
import { readText } from '../../input/read-text.ts'
import { askSecret, readSecret } from '../../input/secret.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'verify',
  summary: 'Verify the signature of a received webhook',
  examples: [
    'relt webhooks verify body.json --id msg_1 --timestamp 1795000000 --signature v1,… --secret-file secret.txt',
  ],
  args: [['<file>', 'body of the webhook, byte for byte; - for standard input']],
  options: {
    '--id <id>': { help: 'header webhook-id', required: true },
    '--timestamp <seconds>': { help: 'header webhook-timestamp', required: true },
    '--signature <signature>': { help: 'header webhook-signature', required: true },
    '--secret-file <file>': 'read the secret from the first line of a file; - for standard input',
  },
  epilog: 'The age of the webhook is not checked. Receivers refuse webhooks older than 5 minutes.',
  /** Throws `unauthenticated` if the signature does not match the secret. */
  run: async (cli, file, options) => {
    const { id, timestamp, signature, secretFile } = options
    if (file === '-' && secretFile === '-') {
      throw new ReltError('usage', 'Standard input can provide only one of body and secret.', {
        hint: 'Read the other one from a file.',
      })
    }
    const body = await readText(cli.context, file)
    const what = 'signing secret'
    const secret = secretFile === undefined ? await askSecret(cli, what) : await readSecret(cli, secretFile, what)
    const { problemOfWebhook } = await import('../../../notify/generic/standard/verify.ts')
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
    const problem = problemOfWebhook({ headers, body }, [secret], Number(timestamp))
    if (problem !== undefined) {
      throw new ReltError('unauthenticated', `Do not trust this webhook: ${problem}.`, {
        hint: 'Compare the body byte for byte, and check that the secret is the current one.',
      })
    }
    await sayDone(cli, 'The signature is valid', { success: true, valid: true })
  },
})
