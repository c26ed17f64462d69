import { type Document, isNode, LineCounter, type Node, parseDocument } from 'yaml'
import { ReltError } from '../errors.ts'

export const maxBytes = 4 * 1024 * 1024

const maxProblems = 20

export type YamlPath = (string | number)[]

/** The text of a file with the lines of its values. */
export class YamlSource {
  readonly name: string
  readonly #lines = new LineCounter()
  readonly document: Document
  readonly #problems: { line: number | undefined; problem: string }[] = []

  /** Throws `usage` for invalid YAML. */
  constructor(yaml: string, name: string) {
    this.name = name
    if (Buffer.byteLength(yaml) > maxBytes) throw this.#refuse(undefined, `larger than ${maxBytes / 1024} KB`)
    // As in YAML 1.2 whatever the file declares: no dates, sets or merge keys. The reader rejects repeated keys.
    this.document = parseDocument(yaml, {
      lineCounter: this.#lines,
      schema: 'core',
      merge: false,
      resolveKnownTags: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
    })
    const [error] = this.document.errors
    if (error?.code === 'RESOURCE_EXHAUSTION') throw this.#refuse(undefined, 'nested too deeply')
    if (error) throw this.#refuse(this.#lines.linePos(error.pos[0]).line, error.message)
  }

  /** Collected for `throwProblems`. A path that does not exist has the line of its parent. */
  problem(at: YamlPath | Node, problem: string) {
    if (this.#problems.length >= maxProblems) return
    this.#problems.push({ line: this.#formatLine(isNode(at) ? at : this.#nodeAt(at)), problem })
  }

  throwProblems() {
    if (this.#problems.length > 0) throw this.#error()
  }

  #nodeAt(path: YamlPath) {
    for (let length = path.length; length > 0; length--) {
      const node = this.document.getIn(path.slice(0, length), true)
      if (isNode(node)) return node
    }
    return undefined
  }

  #formatLine(node: Node | undefined) {
    return node?.range ? this.#lines.linePos(node.range[0]).line : undefined
  }

  #refuse(line: number | undefined, problem: string) {
    this.#problems.push({ line, problem })
    return this.#error()
  }

  #error() {
    const params: Record<string, string> = {}
    for (const { line, problem } of this.#problems) {
      const place = line === undefined ? this.name : `${this.name}:${line}`
      params[place] = params[place] === undefined ? problem : `${params[place]}; ${problem}`
    }
    return new ReltError('usage', `${this.name} cannot be used.`, { params })
  }
}
