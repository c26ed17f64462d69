import { verb } from '../../program/verb.ts'
import { runSync, syncEpilog, syncOptions } from './run.ts'

export default verb({
  name: 'push',
  summary: 'Copy missing items to another server',
  examples: [
    'relt sync push --with https://radar.example --dry-run',
    'relt sync push --local --with https://radar.example --json',
  ],
  options: {
    ...syncOptions,
  },
  epilog: syncEpilog,
  run: (cli, options) => runSync(cli, ['push'], options),
})
