import { test } from 'vitest'
import { bundledProjects } from '../helpers/bundled-catalog.ts'
import { copyCatalog } from '../operations/catalog/catalog-copy.ts'
import { openCatalogService } from '../operations/service.ts'

test('another store says the same of the whole catalog after an import, and a second one changes nothing', async () => {
  await copyCatalog(await openCatalogService(), await openCatalogService(), bundledProjects().length)
})
