/** For `node --import`: a new store of the source begins as the file that the builds contain. */
import { registerHooks } from 'node:module'
import { newStoreFile } from './new-store-file.ts'

const source = `import { readFileSync } from 'node:fs'
export const readNewStore = () => readFileSync(${JSON.stringify(newStoreFile)})`

registerHooks({
  load: (url, context, next) =>
    url.endsWith('/src/catalog/new-store.ts') ? { format: 'module', source, shortCircuit: true } : next(url, context),
})
