/** Declaration of a value: its help text alone, or with details. */
interface Details<T = unknown> {
  help: string
  /** Parses the argument; `earlier` is the value so far. Throws `InvalidArgumentError`. */
  // biome-ignore lint/suspicious/noExplicitAny: the value so far has the type of the result
  parse?: (text: string, earlier: any) => T
  choices?: readonly string[]
  default?: unknown
}

interface OptionDetails extends Details {
  required?: true
  /** Not listed in the help. */
  hidden?: true
  /** Name of an option that it cannot be combined with. */
  conflicts?: string
  /** Takes a comma-separated list of these words. */
  several?: readonly string[]
}

/** Flags as in the help, `-s, --status <status>`, with their description. */
export type Options = Readonly<Record<string, string | Readonly<OptionDetails>>>

/** `<name>`, `[name]` or `<name...>`, its help, and details. */
export type Arg = readonly [name: string, help: string, details?: Readonly<Omit<Details, 'help'>>]
export type Args = readonly Arg[]

/** Values of declared options, by name: `-s, --status <status>` is `status`. */
export type OptionsOf<O extends Options> = Flat<
  { [F in Flag<O> as IsGiven<O, F> extends true ? NameOf<F> : never]: OptionValue<O, F> } & {
    [F in Flag<O> as IsGiven<O, F> extends true ? never : NameOf<F>]?: OptionValue<O, F>
  }
>

/** Values of declared arguments, in order. */
export type ArgsOf<A extends Args> = A extends readonly [infer First, ...infer Rest extends Args]
  ? [ArgValue<First>, ...ArgsOf<Rest>]
  : []

type Flat<T> = { [K in keyof T]: T[K] }
type Flag<O> = keyof O & string

type LongFlag<F extends string> = F extends `-${string}, --${infer Long}`
  ? Long
  : F extends `--${infer Long}`
    ? Long
    : never
type LongName<F extends string> = LongFlag<F> extends `${infer Name} ${string}` ? Name : LongFlag<F>
type NameOf<F extends string> = Camel<LongName<F> extends `no-${infer Name}` ? Name : LongName<F>>
type Camel<S extends string> = S extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S

/** Names of options without those of the form `--no-…`. */
type PositiveName<O> = { [F in Flag<O>]: LongName<F> extends `no-${string}` ? never : NameOf<F> }[Flag<O>]

/** Whether the option always has a value. */
type IsGiven<O extends Options, F extends Flag<O>> =
  LongName<F> extends `no-${string}`
    ? NameOf<F> extends PositiveName<O>
      ? false
      : true
    : O[F] extends { required: true }
      ? true
      : O[F] extends { default: infer D }
        ? D extends undefined
          ? false
          : true
        : false

/** Distributes over flags with the same name, such as `--quiet-hours <hours>` and `--no-quiet-hours`. */
type OptionValue<O extends Options, F extends Flag<O>> = F extends unknown
  ? LongName<F> extends `no-${string}`
    ? IsGiven<O, F> extends true
      ? boolean
      : false
    : LongFlag<F> extends `${string}[${string}`
      ? TextValue<F, O[F]> | true
      : LongFlag<F> extends `${string}<${string}`
        ? TextValue<F, O[F]>
        : boolean
  : never

type ArgValue<A> = A extends readonly [infer N extends string, string, (infer D)?]
  ? N extends `[${string}...]`
    ? TextValue<N, D>
    : N extends `[${string}`
      ? D extends { default: unknown }
        ? TextValue<N, D>
        : TextValue<N, D> | undefined
      : TextValue<N, D>
  : never

type TextValue<F extends string, D> = D extends { parse: (text: string, earlier: never) => infer T }
  ? T
  : D extends { several: readonly (infer Word)[] }
    ? Word[]
    : F extends `${string}...${string}`
      ? Choice<D>[]
      : Choice<D>

type Choice<D> = D extends { choices: readonly (infer C extends string)[] } ? C : string
