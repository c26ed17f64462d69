/** Day on which the facts of the bundled catalog were gathered; a store with an older day imports the catalog. */
export const bundledCatalogDate = '2026-08-22'

/** Day on which the facts for upgrade plans were gathered. */
export const upgradeFactsDate = '2026-11-23'

/** Incremented if a bundled catalog of the same day has more facts. */
export const bundledCatalogEdition = 7

/** Unix seconds of that day. */
export const bundledCatalogTime = Date.parse(bundledCatalogDate) / 1000
