import { noun } from '../../program/verb.ts'
import add from './add.ts'
import advisories from './advisories/noun.ts'
import coverage from './coverage.ts'
import edit from './edit.ts'
import exportVerb from './export.ts'
import importVerb from './import.ts'
import publishRelease from './publish-release.ts'
import pushProjects from './push-projects.ts'
import remove from './remove.ts'
import signingKey from './signing-key.ts'
import status from './status.ts'
import sync from './sync.ts'

export default noun({
  examples: [
    'relt catalog sync',
    'relt catalog status --failing',
    'relt catalog add "Shop API" --repo https://github.com/shop/api --image registry.shop.example/api',
  ],
  options: {
    '--data <folder>': 'data folder or postgres:// address of the store (default: RELT_HOME, or the platform default)',
  },
  epilog: `publish-release and push-projects use the selected server. The other commands use the store on this machine;
if a server is selected, add --local or --data.`,
  verbs: [
    sync,
    status,
    coverage,
    advisories,
    add,
    edit,
    remove,
    exportVerb,
    importVerb,
    signingKey,
    publishRelease,
    pushProjects,
  ],
})
