import { noun } from '../../../program/verb.ts'
import importVerb from './import.ts'
import list from './list.ts'
import show from './show.ts'

export default noun({
  name: 'advisories',
  summary: 'List, show and import advisories with the versions that they affect',
  examples: [
    'relt catalog advisories list prometheus',
    'relt catalog advisories show CVE-2026-1234',
    'relt catalog advisories import advisories/ --project shop-api',
  ],
  verbs: [list, show, importVerb],
})
