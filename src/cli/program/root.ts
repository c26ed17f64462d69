import { Command, CommanderError, Option } from 'commander'
import type { ConfigSettings } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import { type ErrorCode, errorTable, exitCodeFor, ReltError } from '../../errors.ts'
import { formatNames } from '../../notify/generic/format-names.ts'
import { plain } from '../../render/terminal/terminal.ts'
import { version } from '../../version.ts'
import { formats, readFormat } from '../output/formats.ts'
import { createIo, type Io } from '../output/io.ts'
import { escapeSteering } from '../output/json.ts'
import type { GlobalOptions } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { defaultVerbFor, formatHelp, formatShortHelp, setExamples } from './help.ts'
import { groupTitles, nouns } from './nouns.ts'
import { requireOwnStore } from './own-store.ts'
import { toCommand } from './to-command.ts'
import { traceExchanges } from './verbose.ts'
import { formatWords, placeOfCall } from './words.ts'

/** argv → exit code; the only place that prints failures. */
export async function runCommand(context: Context, given: string[]): Promise<number> {
  const argv = inFull(given)
  try {
    const isHelp = formatWords(given)[0] === 'help'
    const program = await createProgram(context, argv, { listAll: isHelp && given.includes('--all') })
    if (argv[0] === '__complete') {
      await (await import('../commands/completion/answer.ts')).answerCompletion(context, program, argv.slice(1))
      return 0
    }
    if (isHelp) await requireKnown(context, program, argv)
    await program.parseAsync(isIncomplete(program, formatWords(argv)) ? [...argv, '--help'] : argv, {
      from: 'user',
    })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.code !== unknownCommand) {
      return error.exitCode === 0 ? 0 : errorTable.usage.exit
    }
    const known = await toReltError(error, context, argv)
    printError(context, known, globalFlags(argv))
    return exitCodeFor(known)
  }
}

/** Expands `help A B` to `A B --help`. */
function inFull(argv: string[]): string[] {
  if (argv[0] === '__complete') {
    const [complete, current = ':', ...before] = argv
    return [complete, current, ...inFull(before)]
  }
  const at = placeOfCall(argv)
  return argv[at] === 'help' ? [...inFull(argv.toSpliced(at, 1)), '--help'] : argv
}

/** `relt`, `relt reports` and `relt admin users` have no verb, so they show help. */
function isIncomplete(program: Command, words: string[]) {
  let command: Command | undefined = program
  for (const word of words) {
    command = command.commands.find((child) => child.name() === word)
    if (!command) return false
  }
  return (command.commands.length > 0 && !defaultVerbFor(command)) || command === program
}

const hasHelpFlag = (argv: string[]) => argv.some((word) => word === '--help' || word === '-h')

const examples = [
  'relt demo',
  'relt reports upload kubebuddy-report.json --compare',
  'relt reports freshness',
  'relt projects search argo',
]

interface ProgramOptions {
  loadAll?: boolean
  listAll?: boolean
}

/** All nouns exist for the help; only the called one is loaded with its verbs, unless all are requested. */
export async function createProgram(context: Context, argv: string[], options: ProgramOptions) {
  const io = createIo(context)
  const isBare = formatWords(argv).length === 0 && !options.listAll && !options.loadAll && !hasHelpFlag(argv)
  const program = new Command('relt')
    .description('Compare cluster scans, track their score, and find outdated and vulnerable software')
    .version(version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .option('--local', 'use the store on this machine (default: until you sign in)')
    .option('--server <server>', 'server to use, by name or URL (or set RELT_SERVER)')
    .option('--team <team>', 'team to act for on the server (or set RELT_TEAM; default: your default team)')
    .option('--insecure-http', 'allow plain HTTP to other machines')
    .addOption(new Option('-o, --output <format>', 'output format').choices(formats))
    .option('--json', 'print JSON; same as -o json')
    .option('--jq <expression>', 'filter JSON output with a jq expression')
    .option('--columns <titles>', 'columns to show, separated by commas')
    .option('--sort-by <title>', 'sort rows by a column; -TITLE sorts in descending order')
    .option('--no-headers', 'omit the column titles')
    .option('--no-color', 'disable colors (or set NO_COLOR)')
    .option('-q, --quiet', 'print only data and errors')
    .option('--verbose', 'print the duration of each call and HTTP request')
    .configureHelp({ formatHelp: isBare ? formatShortHelp : formatHelp })
    .addHelpText('after', isBare ? '' : exitCodesHelp)
    .hook('preAction', async (program, command) => {
      await applySettings(context, program, command)
      await selectServer(context, command)
    })
  await addNouns(context, program, argv, options)
  program.commandsGroup(groupTitles.other).helpCommand('help', 'Show help for a command; --all lists all commands')
  setExamples(program, examples)
  configure(program, io, globalFlags(argv).json)
  return program
}

async function addNouns(context: Context, program: Command, argv: string[], { loadAll, listAll }: ProgramOptions) {
  const called = formatWords(argv).find((word) => Object.hasOwn(nouns, word))
  for (const [name, { load, summary, group }] of Object.entries(nouns)) {
    const isLoaded = loadAll || name === called
    const noun = isLoaded ? toCommand(context, { ...(await load()).default, name, summary }) : new Command(name)
    program.addCommand(noun.description(summary).helpGroup(groupTitles[group]), {
      hidden: group === 'more' && !listAll,
    })
  }
}

/** Defaults from the settings. Invalid settings are reported by commands that need them. */
async function applySettings(context: Context, program: Command, command: Command) {
  const { output } = await context.settings().catch((): ConfigSettings => ({}))
  const { output: asked, json, jq } = program.opts<GlobalOptions>()
  if (output && !asked && !json && jq === undefined)
    program.setOptionValue('output', readOutputSetting(output, command))
}

/** `relt config` works despite an invalid setting, to correct it. */
function readOutputSetting(output: string, command: Command) {
  try {
    return readFormat(output)
  } catch (cause) {
    if (command.parent?.name() === 'config') return 'table'
    const needed = `${(cause as Error).message} is needed.`
    throw new ReltError('usage', `The setting output cannot be "${output}".`, { hint: needed, cause })
  }
}

/** The client itself is opened by the first request. */
async function selectServer(context: Context, command: Command) {
  const { local, server, team, insecureHttp, data, as, verbose, color } = command.optsWithGlobals<GlobalOptions>()
  const onExchange = verbose ? traceExchanges(createIo(context, { color })) : undefined
  context.select({ local, server, team, insecureHttp, data, as, onExchange })
  if (as !== undefined) await requireOwnStore(context)
}

const exitCodesHelp = `
Exit codes:
${foldList(Object.entries(exitCodes).map(([code, meaning]) => `${code} ${meaning}`))}`

function foldList(parts: string[]) {
  const lines = ['']
  for (const part of parts) {
    const longer = lines.at(-1) === '' ? `  ${part}` : `${lines.at(-1)} · ${part}`
    if (longer.length > 78) lines.push(`  ${part}`)
    else lines[lines.length - 1] = longer
  }
  return lines.join('\n')
}

function configure(command: Command, io: Io, json: boolean) {
  command.exitOverride().configureOutput({
    writeOut: io.out,
    writeErr: io.err,
    outputError: (text, write) => text.startsWith("error: unknown command '") || write(usageText(reworded(text), json)),
    getOutHelpWidth: () => io.width,
    getErrHelpWidth: () => io.width,
  })
  for (const child of command.commands) configure(child, io, json)
}

function usageText({ text, hint }: { text: string; hint: string | undefined }, json: boolean) {
  if (json) return errorJson('usage', text.replace(/^error: /, ''), { hint })
  return `${text}\nhint: ${hint ?? 'Add --help for help.'}\n`
}

/** Rewords commander's errors about invalid values to include what was typed. */
function reworded(text: string) {
  const said = text.trim()
  const [, value, name, choices] =
    /^error: command-argument value '(.*)' is invalid for argument '(.*?)'\.(?: Allowed choices are (.*)\.)?/s.exec(
      said,
    ) ?? []
  if (value !== undefined && choices !== undefined) {
    const format = name === 'channel' && (formatNames as readonly string[]).includes(value)
    return {
      text: `error: '${value}' is no ${name}. Use ${choices}.`,
      hint: format ? `relt webhooks set generic --format ${value}` : undefined,
    }
  }
  const option = /^error: option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*?)' is invalid\. (.*)$/s.exec(said)
  if (!option) return { text: said, hint: undefined }
  const [, flag, given, why = ''] = option
  return { text: `error: ${flag} cannot be '${given}'. ${why.replace('Allowed choices are', 'Use')}`, hint: undefined }
}

const unknownCommand = 'commander.unknownCommand'

async function toReltError(error: unknown, context: Context, argv: string[]) {
  if (error instanceof ReltError) return error
  if (error instanceof CommanderError && error.code === unknownCommand) {
    return explainUnknown(context, argv, /'(.*)'/s.exec(error.message)?.[1] ?? '')
  }
  if ((error as Error).name === 'ExitPromptError') return new ReltError('cancelled', 'Cancelled.', { cause: error })
  return new ReltError('internal', `${(error as Error).message ?? error}`, { cause: error })
}

/** commander shows the help of the nearest existing command; `relt help` requires an exact one. */
async function requireKnown(context: Context, program: Command, argv: string[]) {
  const { findUnknownWord } = await import('./unknown-command.ts')
  const unknown = findUnknownWord(program, formatWords(argv))
  if (unknown !== undefined) throw await explainUnknown(context, argv, unknown)
}

async function explainUnknown(context: Context, argv: string[], word: string) {
  const { unknownCommandError } = await import('./unknown-command.ts')
  return unknownCommandError(await createProgram(context, argv, { loadAll: true }), formatWords(argv), word)
}

/** For failures before or during parsing: after `--` nothing is an option. */
function globalFlags(argv: string[]) {
  const options = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length)
  return {
    json: /\n(--json|(-o\n?|--output[\n=])json)\n/.test(`\n${options.join('\n')}\n`),
    color: !options.includes('--no-color'),
  }
}

function printError(context: Context, error: ReltError, { json, color }: ReturnType<typeof globalFlags>): void {
  const { code, message, hint, params, origin, output = [] } = error
  const { err, errColor } = createIo(context, { color })
  if (json) return void err(errorJson(code, message, error))
  const from = [origin?.version && `server ${origin.version}`, origin?.requestId && `request ${origin.requestId}`]
  const lines = [
    `${errColor.red('error:')} ${plain(message)}`,
    ...Object.entries(params ?? {}).map(([name, reason]) => `  ${plain(name)}: ${plain(reason)}`),
    ...output.map((line) => `  ${errColor.dim('|')} ${plain(line)}`),
    ...(hint ? [`${errColor.dim('hint:')} ${plain(hint)}`] : []),
    ...(origin ? [errColor.dim(plain(from.filter(Boolean).join(', ')))] : []),
  ]
  err(`${lines.filter(Boolean).join('\n')}\n`)
}

function errorJson(code: ErrorCode, message: string, { hint, params, origin, output }: Partial<ReltError>) {
  const error = {
    code: errorTable[code].wire,
    message,
    hint: hint ?? null,
    request_id: origin?.requestId ?? null,
    ...(origin?.version && { server_version: origin.version }),
    ...(params && { params }),
    ...(output && { output }),
  }
  return `${escapeSteering(JSON.stringify({ error }))}\n`
}
