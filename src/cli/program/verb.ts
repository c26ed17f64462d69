import type { Cli } from './command.ts'
import type { Args, ArgsOf, Options, OptionsOf } from './options.ts'

/** A command with an action, as data: help, completion, docs and man pages are generated from it. */
export interface Verb<A extends Args = Args, O extends Options = Options> {
  /** A noun without verbs has its name and summary in the table of nouns. */
  name?: string
  summary?: string
  /** Command lines, without a prompt. */
  examples: readonly string[]
  /** Arguments in order. */
  args?: A
  options?: O
  /** Text at the end of the help. */
  epilog?: string
  /** Called with the arguments in order, then the options if any are declared. */
  run: (cli: Cli, ...input: Input<A, O>) => unknown
}

type Input<A extends Args, O extends Options> = keyof O extends never
  ? ArgsOf<A>
  : [...args: ArgsOf<A>, options: OptionsOf<O>]

/** A command with subcommands. */
export interface NounDeclaration {
  /** A noun directly below `relt` has its name and summary in the table of nouns. */
  name?: string
  summary?: string
  examples: readonly string[]
  /** Also accepted by every subcommand. */
  options?: Options
  epilog?: string
  verbs: readonly Declaration[]
  /** Runs if no verb is named; one of `verbs`. */
  defaultVerb?: Declaration
}

// biome-ignore lint/suspicious/noExplicitAny: what `run` takes depends on the arguments and options of each verb
export type AnyVerb = Omit<Verb, 'run'> & { run: (cli: Cli, ...input: any[]) => unknown }

export type Declaration = AnyVerb | NounDeclaration

/** Infers the types of `run` from `args` and `options`. */
export const verb = <const A extends Args = [], const O extends Options = Record<never, never>>(
  declaration: Verb<A, O>,
) => declaration

export const noun = (declaration: NounDeclaration) => declaration
