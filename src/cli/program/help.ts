import type { Command, Help, Option } from 'commander'

const examplesByCommand = new WeakMap<Command, string[]>()
const defaultVerbs = new WeakMap<Command, Command>()

export function setExamples(command: Command, examples: string[]) {
  examplesByCommand.set(command, examples)
}

/** Examples without the prompt that the help shows. */
export function examplesFor(command: Command) {
  return examplesByCommand.get(command) ?? []
}

export function setDefaultVerb(noun: Command, verb: Command) {
  defaultVerbs.set(noun, verb)
}

/** The verb that runs by default. */
export const defaultVerbFor = (noun: Command) => defaultVerbs.get(noun)

/** Help of a command. Nouns list the global options at the end; verbs refer to their noun. */
export function formatHelp(command: Command, helper: Help) {
  helper.showGlobalOptions = isNoun(command)
  const width = helper.padWidth(command, helper)
  const item = (term: string, description: string) => helper.formatItem(term, width, description, helper)
  const options = (list: Option[]) => list.map((each) => item(helper.optionTerm(each), helper.optionDescription(each)))
  const section = (title: string, lines: string[]) => (lines.length > 0 ? [`${title}:\n${lines.join('\n')}`] : [])

  const groups = Map.groupBy(helper.visibleCommands(command), (child) => child.helpGroup() || 'Commands')
  return `${[
    `Usage: ${helper.commandUsage(command)}`,
    helper.boxWrap(helper.commandDescription(command), helper.helpWidth ?? 80),
    ...section(
      'Arguments',
      helper.visibleArguments(command).map((each) => item(helper.argumentTerm(each), helper.argumentDescription(each))),
    ),
    ...[...groups].flatMap(([group, children]) =>
      section(
        group,
        children.map((child) => item(helper.subcommandTerm(child), describe(command, child, helper))),
      ),
    ),
    ...section(command.parent ? 'Options' : 'Global options', options(helper.visibleOptions(command))),
    ...section(
      'Examples',
      examplesFor(command).map((example) => `  $ ${example}`),
    ),
    ...section('Global options', options(toGlobalOptions(command, helper))),
    ...(command.parent && !isNoun(command) ? [`Global options: ${toPath(command.parent)} --help`] : []),
  ].join('\n\n')}\n`
}

/** Help of `relt` without arguments: the first commands, and how to list the others. */
export function formatShortHelp(command: Command, helper: Help) {
  const width = helper.padWidth(command, helper)
  const groups = [...Map.groupBy(helper.visibleCommands(command), (child) => child.helpGroup() || 'Commands')]
  const [first, ...others] = groups
  const names = others.map(([group, children]) =>
    helper.boxWrap(`${group}: ${children.map((child) => child.name()).join(', ')}`, helper.helpWidth ?? 80),
  )
  const [title, everyday] = first!
  return `${[
    `Usage: ${helper.commandUsage(command)}`,
    helper.boxWrap(helper.commandDescription(command), helper.helpWidth ?? 80),
    `${title}:\n${everyday.map((each) => helper.formatItem(each.name(), width, describe(command, each, helper), helper)).join('\n')}`,
    names.join('\n'),
    `Examples:\n${examplesFor(command)
      .map((example) => `  $ ${example}`)
      .join('\n')}`,
    'One command: relt help COMMAND\nOptions and exit codes: relt --help\nAll commands: relt help --all',
  ].join('\n\n')}\n`
}

/** Marks the default verb. */
function describe(command: Command, child: Command, helper: Help) {
  const description = helper.subcommandDescription(child)
  return child === defaultVerbFor(command) ? `${description} (default)` : description
}

/** The command has verbs, or is directly below `relt`. */
function isNoun(command: Command) {
  return command.parent !== null && (command.commands.length > 0 || command.parent.parent === null)
}

/** Excludes options that the command has itself, such as `--insecure-http` of `serve`. */
function toGlobalOptions(command: Command, helper: Help) {
  const own = new Set(command.options.map(({ long }) => long).concat('--version'))
  return helper.visibleGlobalOptions(command).filter(({ long }) => !own.has(long))
}

/** Command path: `relt reports list`. */
export function toPath(command: Command): string {
  return command.parent ? `${toPath(command.parent)} ${command.name()}` : command.name()
}
