import { verb } from '../../program/verb.ts'
import { runSync, syncEpilog, syncOptions } from './run.ts'

export default verb({
  name: 'both',
  summary: 'Copy missing items in both directions',
  examples: ['relt sync both --with https://radar.example --dry-run', 'relt sync both --server old --with new'],
  options: {
    ...syncOptions,
  },
  epilog: syncEpilog,
  run: (cli, options) => runSync(cli, ['pull', 'push'], options),
})
