import { hash } from 'node:crypto'
import { join } from 'node:path'
import { unwritable } from '../util/file-error.ts'
import { isObject } from '../util/json.ts'
import { makeFolder } from '../util/make-folder.ts'
import { appendOwnFile, readOwnFile } from '../util/own-file.ts'
import type { Ends, Side } from './end.ts'

/**
 * Records on this machine which runs of two ends are the same, and which subscriptions are incomplete: a file in the data
 * folder, one entry per line. Without it, runs are matched by their reports, which must be downloaded.
 */
export class Journal {
  readonly #file: string
  /** The ends are sorted by id, so that both directions share a file. */
  readonly #isSwapped: boolean
  readonly #folder: string
  readonly #pairs = new Map<string, { here: string; there: string }>()
  readonly #begun = new Set<string>()
  #isTorn = false

  /** `folder` is the data folder. Only `add` and `begin` write. */
  constructor(folder: string, { here, there }: Ends) {
    this.#isSwapped = here.id > there.id
    const ids = this.#isSwapped ? [there.id, here.id] : [here.id, there.id]
    this.#folder = join(folder, 'sync')
    this.#file = join(this.#folder, `${hash('sha256', JSON.stringify(ids)).slice(0, 32)}.jsonl`)
    for (const line of this.#read()) this.#take(line)
  }

  /** Run ids at both ends. */
  get pairs(): Iterable<{ here: string; there: string }> {
    return this.#pairs.values()
  }

  add(here: string, there: string): void {
    if (this.#pairs.get(here)?.there === there) return
    this.#write({ run: this.#isSwapped ? [there, here] : [here, there] })
  }

  /** Records that a subscription to this project is about to be created at this end, without its settings yet. */
  begin(side: Side, productId: number): void {
    this.#write({ begun: [this.#toName(side), productId] })
  }

  finish(side: Side, productId: number): void {
    if (this.hasBegun(side, productId)) this.#write({ finished: [this.#toName(side), productId] })
  }

  hasBegun(side: Side, productId: number): boolean {
    return this.#begun.has(`${this.#toName(side)} ${productId}`)
  }

  #toName(side: Side): string {
    return (side === 'here') === this.#isSwapped ? 'second' : 'first'
  }

  #read(): string[] {
    let text: string
    try {
      text = readOwnFile(this.#file).toString('utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw unwritable(this.#file, error)
    }
    // A killed process may have left an incomplete line.
    this.#isTorn = text !== '' && !text.endsWith('\n')
    return text.split('\n')
  }

  #take(line: string): void {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      return
    }
    if (!isObject(value)) return
    const { run, begun, finished } = value
    if (isTexts(run)) {
      const [here, there] = this.#isSwapped ? [run[1], run[0]] : run
      this.#pairs.set(here, { here, there })
    }
    if (Array.isArray(begun)) this.#begun.add(begun.join(' '))
    if (Array.isArray(finished)) this.#begun.delete(finished.join(' '))
  }

  #write(entry: object): void {
    const line = JSON.stringify(entry)
    this.#take(line)
    try {
      makeFolder(this.#folder)
      appendOwnFile(this.#file, `${this.#isTorn ? '\n' : ''}${line}\n`)
      this.#isTorn = false
    } catch (cause) {
      throw unwritable(this.#file, cause)
    }
  }
}

const isTexts = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string')
