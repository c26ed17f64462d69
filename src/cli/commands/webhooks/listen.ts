import { InvalidArgumentError } from 'commander'
import type { ReceivedMessage } from '../../../notify/generic/standard/receive.ts'
import { paint } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { interruptible } from '../../../util/interrupt.ts'
import { triedTone } from '../../../views/outcome.ts'
import { readSecret } from '../../input/secret.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'listen',
  summary: 'Receive webhooks on this machine, and show and verify them',
  examples: ['relt webhooks listen --secret-file secret.txt', 'relt webhooks listen --port 9000 --count 1 --json'],
  options: {
    '--port <number>': { help: 'port to listen on, 0 for any', parse: readNumber, default: 8788 },
    '--secret-file <file>': 'verify signatures with the secret on the first line of a file; - for standard input',
    '--count <number>': { help: 'stop after this many webhooks', parse: readNumber },
  },
  epilog: 'For a server on this machine, set RELT_WEBHOOK_ALLOW=127.0.0.1 where relt sends.',
  run: async (cli, { port, secretFile, count }) => {
    const secrets = secretFile === undefined ? [] : [await readSecret(cli, secretFile, 'signing secret')]
    const { receiveWebhooks } = await import('../../../notify/generic/standard/receive.ts')
    await interruptible((signal) =>
      receiveWebhooks({
        ...{ port, count, secrets, signal, now: cli.context.now },
        onListening: (url) => cli.io.err(`Listening on ${url}. Press Ctrl-C to stop.\n`),
        onMessage: (message) => cli.io.out(cli.json ? `${JSON.stringify(message)}\n` : toText(cli, message, secrets)),
      }),
    )
  },
})

function toText({ io }: Cli, { id, type, lines, problem }: ReceivedMessage, secrets: string[]): string {
  const { color } = io
  const verdict =
    secrets.length === 0 ? color.dim('not verified') : paint(io, triedTone(problem === null))(problem ?? 'valid')
  const head = `${color.bold(plain(type ?? 'unknown message'))} ${color.dim(plain(id ?? 'without id'))} ${verdict}`
  return `${[head, ...lines.map((line) => `  ${plain(line)}`)].join('\n')}\n`
}

function readNumber(text: string): number {
  const number = Number(text)
  if (/^\d{1,5}$/.test(text) && number <= 65_535) return number
  throw new InvalidArgumentError('Use a number from 0 to 65535.')
}
