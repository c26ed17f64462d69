import { Command, CommanderError, Option } from 'commander'
import type { Settings } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import { type ErrorCode, errorTable, exitCodeOf, ReltError } from '../../errors.ts'
import { version } from '../../version.ts'
import { createIo, type Io, plain } from '../output/io.ts'
import { escapeSteering } from '../output/json.ts'
import { formats, type GlobalOptions } from './command.ts'
import { tellExchanges } from './exchanges.ts'
import { exitCodes } from './exit-codes.ts'
import { wordsOf } from './words.ts'

type Load = (context: Context) => Promise<Command>

interface Noun {
  summary: string
  load: Load
  /** It does something without a verb, too. */
  standsAlone?: true
}

/** A noun is a folder; only the one that is called is loaded. */
const nouns: Record<string, Noun> = {
  reports: {
    summary: 'Scan reports of your clusters: upload, compare, trends, freshness',
    load: async (context) => (await import('../commands/reports/index.ts')).createReportsCommand(context),
  },
  scan: {
    summary: 'Run the scanner by a profile, with all that runs in the cluster, and store the report',
    load: async (context) => (await import('../commands/scan/index.ts')).createScanCommand(context),
  },
  gate: {
    summary: 'Whether a run passes the rules of a policy, and which exceptions it needs',
    load: async (context) => (await import('../commands/gate/index.ts')).createGateCommand(context),
  },
  ci: {
    summary: 'In a pipeline: store a report, decide by the rules, and write what the CI shows',
    load: async (context) => (await import('../commands/ci/index.ts')).createCommand(context),
  },
  impact: {
    summary: 'Where your clusters run what a release replaces or an advisory concerns',
    load: async (context) => (await import('../commands/impact/index.ts')).createCommand(context),
  },
  projects: {
    summary: 'The catalog of projects and their releases',
    load: async (context) => (await import('../commands/projects/index.ts')).createProjectsCommand(context),
  },
  catalog: {
    summary: 'Look for new releases, manage projects of your own, and publish to a server',
    load: async (context) => (await import('../commands/catalog/index.ts')).createCatalogCommand(context),
  },
  stats: {
    summary: 'Numbers of the catalog',
    load: async (context) => (await import('../commands/stats/index.ts')).createCommand(context),
  },
  subs: {
    summary: 'Subscriptions to the releases of projects, and how they notify',
    load: async (context) => (await import('../commands/subs/index.ts')).createSubsCommand(context),
  },
  feed: {
    summary: 'New releases of the projects you are subscribed to',
    load: async (context) => (await import('../commands/feed/index.ts')).createCommand(context),
  },
  dashboard: {
    summary: 'Your account: plan, webhooks, labels, releases, notifications',
    load: async (context) => (await import('../commands/dashboard/index.ts')).createDashboardCommand(context),
    standsAlone: true,
  },
  labels: {
    summary: 'Labels that sort your subscriptions',
    load: async (context) => (await import('../commands/labels/index.ts')).createLabelsCommand(context),
  },
  keys: {
    summary: 'Application passwords of your account: list, create, revoke, rotate',
    load: async (context) => (await import('../commands/keys/index.ts')).createKeysCommand(context),
  },
  configs: {
    summary: 'Scan profiles: what a scan of a cluster covers, and how it is run',
    load: async (context) => (await import('../commands/profiles/index.ts')).createConfigsCommand(context),
  },
  plan: {
    summary: 'Show what relt apply would change',
    load: async (context) => (await import('../commands/plan/index.ts')).createCommand(context),
  },
  apply: {
    summary: 'Make subscriptions, labels, webhooks and profiles what a file says',
    load: async (context) => (await import('../commands/apply/index.ts')).createCommand(context),
  },
  export: {
    summary: 'Write what is there as a file for relt apply',
    load: async (context) => (await import('../commands/export/index.ts')).createCommand(context),
  },
  auth: {
    summary: 'Servers, and signing in to them',
    load: async (context) => (await import('../commands/auth/index.ts')).createAuthCommand(context),
  },
  config: {
    summary: 'Settings of relt on this machine',
    load: async (context) => (await import('../commands/config/index.ts')).createConfigCommand(context),
  },
  alias: {
    summary: 'Commands of your own, made of those there are',
    load: async (context) => (await import('../commands/alias/index.ts')).createAliasCommand(context),
  },
  api: {
    summary: 'Call the interface by its addresses',
    load: async (context) => (await import('../commands/api/index.ts')).createCommand(context),
  },
  spool: {
    summary: 'Uploads that wait for their server: list, send, drop',
    load: async (context) => (await import('../commands/spool/index.ts')).createSpoolCommand(context),
  },
  serve: {
    summary: 'Answer over HTTP what the commands answer here',
    load: async (context) => (await import('../commands/serve/index.ts')).createCommand(context),
  },
  admin: {
    summary: 'Accounts, keys, audit and retention of a store',
    load: async (context) => (await import('../commands/admin/index.ts')).createAdminCommand(context),
  },
  openapi: {
    summary: 'The description of the HTTP interface, as OpenAPI 3.1',
    load: async (context) => (await import('../commands/openapi/index.ts')).createCommand(context),
  },
  doctor: {
    summary: 'Check what relt needs here, and say what to do where it is missing',
    load: async (context) => (await import('../commands/doctor/index.ts')).createCommand(context),
  },
  version: {
    summary: 'The version of relt, and what it runs on',
    load: async (context) => (await import('../commands/version/index.ts')).createCommand(context),
  },
  completion: {
    summary: 'Script with which a shell completes commands, options and names',
    load: async (context) => (await import('../commands/completion/index.ts')).createCommand(context),
  },
  demo: {
    summary: 'See what relt does, with example reports in a throw-away store',
    load: async (context) => (await import('../commands/demo/index.ts')).createCommand(context),
  },
}

/** argv → exit code; every failure is printed here and nowhere else. */
export async function runCommand(context: Context, given: string[]): Promise<number> {
  let argv = given
  try {
    argv = await inFull(context.env, given)
    const program = await createProgram(context, argv)
    if (argv[0] === '__complete') {
      await (await import('../commands/completion/answer.ts')).answerCompletion(context, program, argv.slice(1))
      return 0
    }
    await program.parseAsync(isIncomplete(program, wordsOf(argv)) ? [...argv, '--help'] : argv, {
      from: 'user',
    })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : errorTable.usage.exit
    const known = toReltError(error)
    printError(context, known, globalFlags(argv))
    return exitCodeOf(known)
  }
}

/** An alias is put in full; whoever calls a command does not wait for the aliases to be read. */
async function inFull(env: Context['env'], argv: string[]): Promise<string[]> {
  if (argv[0] === '__complete') {
    const [complete, current = ':', ...before] = argv
    return [complete, current, ...(await inFull(env, before).catch(() => before))]
  }
  const [call] = wordsOf(argv)
  if (call === undefined || isCommand(call)) return argv
  const [{ expandAlias }, { readConfig }] = await Promise.all([
    import('../commands/alias/expand.ts'),
    import('../../config/config-file.ts'),
  ])
  return expandAlias(argv, readConfig(env).aliases, isCommand)
}

const isCommand = (name: string): boolean => name === 'help' || Object.hasOwn(nouns, name)

/** `relt`, or `relt reports`, or `relt admin users`: whoever asks so little wants to know what there is. */
function isIncomplete(program: Command, words: string[]): boolean {
  let command: Command | undefined = program
  for (const word of words) {
    command = command.commands.find((child) => child.name() === word)
    if (!command) return false
  }
  return (command.commands.length > 0 && !nouns[command.name()]?.standsAlone) || command === program
}

/** Every noun is named for the help; the called one, or all, are loaded with their verbs. */
export async function createProgram(context: Context, argv: string[], options = { loadAll: false }): Promise<Command> {
  const io = createIo(context)
  const program = new Command('relt')
    .description(
      'What the last scan of a cluster changed, whether it is getting better, and what runs there out of date',
    )
    .version(version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .option('--local', 'use the store on this machine (the default until you sign in)')
    .option('--server <server>', 'use this server: a name, or an address (RELT_SERVER does the same)')
    .option('--insecure-http', 'speak plain HTTP also with other machines')
    .addOption(new Option('-o, --output <format>', 'form of the answer').choices(formats))
    .option('--json', 'the answer as JSON: -o json')
    .option('--jq <program>', 'what this jq program makes of the JSON')
    .option('--no-color', 'no colours (NO_COLOR does the same)')
    .option('--no-pager', 'long text at once, without RELT_PAGER or PAGER')
    .option('-q, --quiet', 'no messages, only data and errors')
    .option('--verbose', 'tell of each call, and of each request to a server, how long it took')
    .addHelpText('after', help)
    .hook('preAction', async (program, command) => {
      await applySettings(context, program)
      selectServer(context, command)
    })
  const called = wordsOf(argv).find((word) => Object.hasOwn(nouns, word))
  for (const [name, noun] of Object.entries(nouns)) {
    const load = options.loadAll || name === called
    program.addCommand(load ? await noun.load(context) : new Command(name).description(noun.summary))
  }
  configure(program, io, globalFlags(argv).json)
  return program
}

/** What the command line and the environment leave open. What is wrong with the settings is told by who needs them. */
async function applySettings(context: Context, program: Command): Promise<void> {
  const { output, pager } = await context.settings().catch((): Settings => ({}))
  const { output: asked, json, jq } = program.opts<GlobalOptions>()
  if (output && !asked && !json && jq === undefined) program.setOptionValue('output', output)
  if (pager && context.env.RELT_PAGER === undefined) {
    context.env = { ...context.env, RELT_PAGER: pager === 'off' ? '' : pager }
  }
}

/** The client itself is opened by the first call, if there is one. */
function selectServer(context: Context, command: Command): void {
  const { local, server, insecureHttp, data, verbose, color } = command.optsWithGlobals<
    GlobalOptions & { data?: string }
  >()
  const onExchange = verbose ? tellExchanges(createIo(context, { color })) : undefined
  context.select({ local, server, insecureHttp, data, onExchange })
}

const help = `
Examples:
  $ relt demo
  $ relt reports upload kubebuddy-report.json --compare
  $ relt reports freshness
  $ relt projects search argo

Exit codes:
${foldList(Object.entries(exitCodes).map(([code, meaning]) => `${code} ${meaning}`))}`

function foldList(parts: string[]): string {
  const lines = ['']
  for (const part of parts) {
    const longer = lines.at(-1) === '' ? `  ${part}` : `${lines.at(-1)} · ${part}`
    if (longer.length > 78) lines.push(`  ${part}`)
    else lines[lines.length - 1] = longer
  }
  return lines.join('\n')
}

function configure(command: Command, io: Io, json: boolean): void {
  command.exitOverride().configureOutput({
    writeOut: io.out,
    writeErr: io.err,
    outputError: (text, write) =>
      write(json ? errorJson('usage', text.trim().replace(/^error: /, '')) : `${text}(add --help for help)\n`),
    getOutHelpWidth: () => io.width,
    getErrHelpWidth: () => io.width,
  })
  for (const child of command.commands) configure(child, io, json)
}

function toReltError(error: unknown): ReltError {
  if (error instanceof ReltError) return error
  if ((error as Error).name === 'ExitPromptError') return new ReltError('cancelled', 'Cancelled.', { cause: error })
  return new ReltError('internal', `${(error as Error).message ?? error}`, { cause: error })
}

/** For failures that come before, or out of, parsing: after `--` nothing is an option. */
function globalFlags(argv: string[]): { json: boolean; color: boolean } {
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

function errorJson(code: ErrorCode, message: string, { hint, params, origin, output }: Partial<ReltError> = {}) {
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
