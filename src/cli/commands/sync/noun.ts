import { noun, verb } from '../../program/verb.ts'
import { runSync, syncEpilog, syncOptions } from './run.ts'

const pull = verb({
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

const push = verb({
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

const both = verb({
  name: 'both',
  summary: 'Copy missing items in both directions',
  examples: ['relt sync both --with https://radar.example --dry-run', 'relt sync both --server old --with new'],
  options: {
    ...syncOptions,
  },
  epilog: syncEpilog,
  run: (cli, options) => runSync(cli, ['pull', 'push'], options),
})

export default noun({
  examples: [
    'relt sync pull --with https://radar.example --dry-run',
    'relt sync push --with https://radar.example',
    'relt sync both --with https://radar.example --clusters prod-eu,prod-us',
    'relt sync pull --with https://old.example --team platform --with-team platform',
  ],
  verbs: [pull, push, both],
})
