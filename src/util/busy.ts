/** SQLite's word for a store that another process held for longer than we were willing to wait. */
export function isBusy(error: unknown): boolean {
  return /database (table )?is locked/.test(String((error as Error | undefined)?.message))
}
