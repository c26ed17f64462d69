import { withProgressBar } from '../../output/progress-bar.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { openCatalog } from './command.ts'
import { sayImported } from './import.ts'

export default verb({
  name: 'pull',
  summary: 'Pull the newest published catalog',
  examples: [
    'relt catalog pull',
    'relt catalog pull https://catalog.example.com/catalog.relt --key ed25519:11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    'relt catalog pull oci://registry.example.com/relt/catalog:1 --json',
  ],
  args: [['[address]', 'https://… or oci://… (default: RELT_CATALOG_URL)']],
  options: {
    '--key <public-key>': 'key of its publisher (default: RELT_CATALOG_KEY, or the key that relt was built with)',
  },
  epilog: 'Offline, import the published file: relt catalog import FILE',
  run: async (cli, address, { key }) => {
    const catalog = await openCatalog(cli)
    const { signal } = new AbortController()
    const pulled = await withProgressBar(cli.io, (show) => {
      show(0, 1, 'the published catalog')
      return catalog.pull({ address, key, signal })
    })
    if (pulled) return sayImported(cli, pulled)
    return sayDone(cli, 'Already current: the published catalog has not changed', { success: true, changed: false })
  },
})
