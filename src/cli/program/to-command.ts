import { Argument, Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { SeveralOption } from '../input/several-option.ts'
import { toCli } from './command.ts'
import { formatHelp, setDefaultVerb, setExamples } from './help.ts'
import type { Arg, Options } from './options.ts'
import type { AnyVerb, Declaration } from './verb.ts'

/** The commander command for a declaration, with its subcommands. */
export function toCommand(context: Context, declaration: Declaration) {
  const { name = '', summary = '', examples, options = {}, epilog } = declaration
  const command = new Command(name)
    .description(summary)
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .configureHelp({ formatHelp })
  setExamples(command, [...examples])
  for (const [flags, details] of Object.entries(options)) command.addOption(toOption(flags, details))
  if (epilog !== undefined) command.addHelpText('after', `\n${epilog}`)
  if ('run' in declaration) return addAction(context, command, declaration)
  for (const each of declaration.verbs) {
    const isDefault = each === declaration.defaultVerb
    const child = toCommand(context, each)
    command.addCommand(child, { isDefault })
    if (isDefault) setDefaultVerb(command, child)
  }
  return command
}

function addAction(context: Context, command: Command, { args = [], options, run }: AnyVerb) {
  for (const each of args) command.addArgument(toArgument(each))
  return command.action(async (...given: unknown[]) => {
    const values = given.slice(0, args.length)
    const cli = toCli(context, command)
    await (options ? run(cli, ...values, command.opts()) : run(cli, ...values))
  })
}

function toArgument([name, help, { parse, choices, default: value } = {}]: Arg) {
  const argument = new Argument(name, help)
  if (choices) argument.choices(choices)
  if (parse) argument.argParser(parse)
  return value === undefined ? argument : argument.default(value)
}

function toOption(flags: string, details: Options[string]) {
  if (typeof details === 'string') return new Option(flags, details)
  const { help, parse, choices, default: value, required = false, hidden = false, conflicts, several } = details
  const option = several ? new SeveralOption(flags, help, several) : new Option(flags, help)
  if (choices) option.choices(choices)
  if (parse) option.argParser(parse)
  if (value !== undefined) option.default(value)
  if (conflicts !== undefined) option.conflicts(conflicts)
  return option.makeOptionMandatory(required).hideHelp(hidden)
}
