/** At most one row, which triggers delete when the catalog changes. */
export interface CatalogRevisionTable {
  id: 1
  /** Random. */
  name: string
}
