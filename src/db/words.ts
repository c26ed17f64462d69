import { type OperationNode, type RawBuilder, sql } from 'kysely'
import type { Sql, Words } from './word-table.ts'

/** A node of a query that becomes SQL when the query is compiled for its database. */
export interface WordNode extends OperationNode {
  readonly kind: 'RawNode'
  readonly word: (words: Words) => Sql
}

export function isWordNode(node: OperationNode): node is WordNode {
  return 'word' in node
}

function word<K extends keyof Words>(name: K) {
  return <T = unknown>(...given: Parameters<Words[K]>): RawBuilder<T> => {
    const node: WordNode = {
      kind: 'RawNode',
      word: (words) => (words[name] as (...given: unknown[]) => Sql)(...given),
    }
    return sql<T>`${{ toOperationNode: () => node }}`
  }
}

export const integers = word('integers')
export const texts = word('texts')
export const textRows = word('textRows')
export const jsonRows = word('jsonRows')
export const jsonTexts = word('jsonTexts')
export const jsonArray = word('jsonArray')
export const jsonObject = word('jsonObject')
export const jsonValue = word('jsonValue')
export const jsonGroup = word('jsonGroup')
export const jsonGroupObject = word('jsonGroupObject')
export const dayOf = word('dayOf')
export const unixTime = word('unixTime')
export const withoutCase = word('withoutCase')
export const equalsWithoutCase = word('equalsWithoutCase')
export const like = word('like')
export const containsPhrase = word('containsPhrase')
export const lesser = word('lesser')
export const greater = word('greater')
export const positionOf = word('positionOf')
export const pieces = word('pieces')
export const piecesToMerge = word('piecesToMerge')
export const rowLock = word('rowLock')
export const rowLockOrSkip = word('rowLockOrSkip')
export const randomHex = word('randomHex')
export const byIndex = word('byIndex')
export const joinInOrder = word('joinInOrder')
export const withoutIndex = word('withoutIndex')
