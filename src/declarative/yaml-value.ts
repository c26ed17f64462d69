import { isAlias, isMap, isScalar, isSeq, type Node } from 'yaml'
import type { YamlSource } from './source.ts'

const maxDepth = 20
const maxNodes = 100_000

/** Members of a mapping with their nodes. A key that is not a plain scalar, or is repeated, becomes a problem. */
export function membersFor(source: YamlSource, node: Node) {
  const members = new Map<string, Node | null>()
  if (!isMap(node)) source.problem(node, 'a mapping is needed here')
  for (const { key, value } of isMap<Node, Node | null>(node) ? node.items : []) {
    const name = isScalar(key) && key.value !== null ? String(key.value) : undefined
    if (name === undefined || name === '__proto__') source.problem(key, 'no key that can be used')
    else if (members.has(name)) source.problem(key, `${name.slice(0, 100)} appears twice`)
    else members.set(name, value)
  }
  return members
}

/** Converts nodes to values; an alias is a copy of its anchor, and the total size is limited. */
export class YamlValues {
  readonly #source: YamlSource
  readonly #anchors = new Map<string, Node>()
  #nodes = 0

  constructor(source: YamlSource) {
    this.#source = source
  }

  /** Throws `usage` with the lines. */
  valueOf(node: Node | null, depth = 0): unknown {
    if (node === null) return null
    if (depth > maxDepth || ++this.#nodes > maxNodes) {
      this.#source.problem(node, depth > maxDepth ? 'nested too deeply' : 'too many values')
      this.#source.throwProblems()
    }
    if (isAlias(node)) {
      const meant = this.#anchors.get(node.source)
      if (!meant) this.#source.problem(node, `there is no anchor &${node.source.slice(0, 100)} before`)
      return meant && this.valueOf(meant, depth + 1)
    }
    if ('anchor' in node && node.anchor) this.#anchors.set(node.anchor, node)
    if (isScalar(node)) return node.value
    if (isSeq<Node | null>(node)) return node.items.map((item) => this.valueOf(item, depth + 1))
    const members = [...membersFor(this.#source, node)]
    return Object.fromEntries(members.map(([name, value]) => [name, this.valueOf(value, depth + 1)]))
  }
}
