/** Day on which the facts of the bundled catalog were gathered; a store with an older day takes the catalog anew. */
export const bundledCatalogDate = '2026-08-22'
