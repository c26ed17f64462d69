import { type Command, InvalidArgumentError } from 'commander'
import type { Context } from '../../../context.ts'
import type { ReceivedMessage } from '../../../notify/generic/standard/receive.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { interruptible } from '../../../util/interrupt.ts'
import { readSecret } from '../../input/secret.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'

export interface ListenWebhooksOptions {
  port: number
  secretFile?: string
  count?: number
}

export function createCommand(context: Context, run = runListen): Command {
  return newCommand('listen', 'Receive webhooks on this machine, and show and verify them', [
    'relt webhooks listen --secret-file secret.txt',
    'relt webhooks listen --port 9000 --count 1 --json',
  ])
    .option('--port <number>', 'port to listen on, 0 for any', readNumber, 8788)
    .option(
      '--secret-file <file>',
      'verify signatures with the secret on the first line of a file; - for standard input',
    )
    .option('--count <number>', 'stop after this many webhooks', readNumber)
    .addHelpText('after', '\nFor a server on this machine, set RELT_WEBHOOK_ALLOW=127.0.0.1 where relt sends.')
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runListen(cli: Cli, { port, secretFile, count }: ListenWebhooksOptions): Promise<void> {
  const secrets = secretFile === undefined ? [] : [await readSecret(cli, secretFile, 'signing secret')]
  const { receiveWebhooks } = await import('../../../notify/generic/standard/receive.ts')
  await interruptible((signal) =>
    receiveWebhooks({
      ...{ port, count, secrets, signal, now: cli.context.now },
      onListening: (url) => cli.io.err(`Listening on ${url}. Press Ctrl-C to stop.\n`),
      onMessage: (message) => cli.io.out(cli.json ? `${JSON.stringify(message)}\n` : textOf(cli, message, secrets)),
    }),
  )
}

function textOf({ io }: Cli, { id, type, lines, problem }: ReceivedMessage, secrets: string[]): string {
  const { color } = io
  const verdict =
    secrets.length === 0 ? color.dim('not verified') : problem === null ? color.green('valid') : color.red(problem)
  const head = `${color.bold(plain(type ?? 'unknown message'))} ${color.dim(plain(id ?? 'without id'))} ${verdict}`
  return `${[head, ...lines.map((line) => `  ${plain(line)}`)].join('\n')}\n`
}

function readNumber(text: string): number {
  const number = Number(text)
  if (/^\d{1,5}$/.test(text) && number <= 65_535) return number
  throw new InvalidArgumentError('Use a number from 0 to 65535.')
}
