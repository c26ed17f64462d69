import { verb } from '../../program/verb.ts'
import { runSync, syncEpilog, syncOptions } from './run.ts'

export default verb({
  name: 'pull',
  summary: 'Copy missing items from another server',
  examples: [
    'relt sync pull --with https://radar.example --dry-run',
    'relt sync pull --with old --clusters prod-eu/prod',
  ],
  options: {
    ...syncOptions,
  },
  epilog: syncEpilog,
  run: (cli, options) => runSync(cli, ['pull'], options),
})
