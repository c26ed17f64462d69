import type { Argument, Command, Option } from 'commander'
import { SeveralOption } from '../../input/several-option.ts'
import { defaultVerbFor } from '../../program/help.ts'

export interface Candidate {
  value: string
  description?: string
}

/** Candidates for the last of the words after `relt`. */
export interface Completion {
  candidates: Candidate[]
  /** The value is a file name, which the shell completes. */
  files: boolean
}

/** Values of preceding options, by name. */
export type GivenOptions = Readonly<Record<string, string>>

/** Looks up names in the store or server; `kind` is the placeholder in the help. */
export type Lookup = (kind: string, prefix: string, given: GivenOptions) => Promise<Candidate[]>

const fileKinds = new Set(['file', 'folder', 'path', 'dir'])

export async function complete(program: Command, words: string[], lookup: Lookup): Promise<Completion> {
  const prefix = words.at(-1) ?? ''
  const { command, position, awaiting, given } = walk(program, words.slice(0, -1))
  if (awaiting) return completeOption(awaiting, prefix, lookup, given)
  const assigned = /^(--[\w-]+)=(.*)$/s.exec(prefix)
  if (assigned) {
    const [, name = '', value = ''] = assigned
    const option = findOption(command, name)
    if (!option) return nothing
    const { candidates, files } = await completeOption(option, value, lookup, given)
    return { files, candidates: candidates.map((each) => ({ ...each, value: `${name}=${each.value}` })) }
  }
  if (prefix.startsWith('-'))
    return startingWith(
      prefix,
      formatLine(command)
        .flatMap((each) => each.options)
        .filter((option) => !option.hidden && option.long)
        .map((option) => ({ value: option.long!, description: option.description }))
        .concat({ value: '--help', description: 'show help' }),
    )
  if (command.commands.length > 0) {
    const named = command.commands.map((child) => ({ value: child.name(), description: child.description() }))
    return startingWith(prefix, named)
  }
  const argument = argumentAt(command, position)
  return argument ? completeValue(wantedBy(argument), prefix, lookup, given) : nothing
}

function completeOption(option: Option, prefix: string, lookup: Lookup, given: GivenOptions) {
  if (!(option instanceof SeveralOption)) return completeValue(wantedBy(option), prefix, lookup, given)
  // Only the last item of a comma-separated list is completed.
  const before = prefix.slice(0, prefix.lastIndexOf(',') + 1)
  const taken = new Set(before.split(','))
  return startingWith(
    prefix,
    option.words.filter((word) => !taken.has(word)).map((word) => `${before}${word}`),
  )
}

const nothing: Completion = { candidates: [], files: false }

/** The called command, its number of arguments and its options so far, and the option that expects a value. */
function walk(program: Command, words: string[]) {
  let command = program
  let position = 0
  let awaiting: Option | undefined
  const given: Record<string, string> = {}
  for (const word of words) {
    if (awaiting) {
      given[awaiting.attributeName()] = word
      awaiting = undefined
      continue
    }
    if (word.startsWith('-') && word !== '-') {
      const [, name = word, value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? []
      const option = findOption(command, name)
      if (option && value !== undefined) given[option.attributeName()] = value
      else if (option && (option.required || option.optional)) awaiting = option
      continue
    }
    const child = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (child) command = child
    else position++
  }
  return { command, position, awaiting, given }
}

function findOption(command: Command, name: string): Option | undefined {
  return formatLine(command)
    .flatMap((each) => each.options)
    .find((option) => option.long === name || option.short === name)
}

/** The command, its default verb, and its parents, whose options it accepts too. */
function formatLine(command: Command): Command[] {
  const own = [defaultVerbFor(command), command].filter((each) => each !== undefined)
  return command.parent ? [...own, ...formatLine(command.parent)] : own
}

function argumentAt(command: Command, position: number) {
  const { registeredArguments } = command
  const last = registeredArguments.at(-1)
  return registeredArguments[position] ?? (last?.variadic ? last : undefined)
}

interface Value {
  /** The placeholder in the help: `project`, `file`; for options also the option's name. */
  kinds: string[]
  choices: readonly string[] | undefined
}

function wantedBy(of: Option | Argument): Value {
  if ('flags' in of) {
    return { kinds: [of.name(), /[<[]([\w-]+)/.exec(of.flags)?.[1] ?? ''], choices: of.argChoices }
  }
  return { kinds: [of.name()], choices: of.argChoices }
}

async function completeValue({ kinds, choices }: Value, prefix: string, lookup: Lookup, given: GivenOptions) {
  if (choices) return startingWith(prefix, choices)
  if (kinds.some((kind) => fileKinds.has(kind))) return { candidates: [], files: true }
  for (const kind of kinds) {
    const found = await lookup(kind, prefix, given)
    if (found.length > 0) return startingWith(prefix, found)
  }
  return nothing
}

function startingWith(prefix: string, all: readonly (Candidate | string)[]) {
  const wanted = prefix.toLowerCase()
  const candidates = all.map((each) => (typeof each === 'string' ? { value: each } : each))
  return { files: false, candidates: candidates.filter(({ value }) => value.toLowerCase().startsWith(wanted)) }
}
