/** Where a key comes from. The row outlives its key while something that came of it is left. */
export interface KeyOriginTable {
  uuid: string
  user_id: number
  /** Maker: uuid of a key, or a password (see `makerOf`); null for an admin of the store. */
  made_by: string | null
  /** Uuid of the key that was rotated. */
  replaces: string | null
}
