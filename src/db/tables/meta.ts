/** Facts about the store itself: which key seals it, which catalog it holds. */
export interface MetaTable {
  key: string
  value: string
}
