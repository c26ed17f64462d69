import { InvalidArgumentError, Option } from 'commander'

/** An option with a comma-separated list of given words. */
export class SeveralOption extends Option {
  readonly words: readonly string[]

  constructor(flags: string, description: string, words: readonly string[]) {
    super(flags, description)
    this.words = words
    this.argParser((text) => {
      const given = text.split(',').map((word) => word.trim().toLowerCase())
      if (given.every((word) => words.includes(word))) return words.filter((word) => given.includes(word))
      throw new InvalidArgumentError(`Use some of ${words.join(', ')}, with commas.`)
    })
  }
}
