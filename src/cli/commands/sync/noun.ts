import type { Direction } from '../../../transfer/end.ts'
import { noun, verb } from '../../program/verb.ts'
import { runSync, syncEpilog, syncOptions } from './run.ts'

const syncing = (directions: Direction[], about: { name: string; summary: string; examples: string[] }) =>
  verb({
    ...about,
    options: syncOptions,
    epilog: syncEpilog,
    run: (cli, options) => runSync(cli, directions, options),
  })

const pull = syncing(['pull'], {
  name: 'pull',
  summary: 'Copy missing items from another server',
  examples: [
    'relt sync pull --with https://radar.example --dry-run',
    'relt sync pull --with old --clusters prod-eu/prod',
  ],
})

const push = syncing(['push'], {
  name: 'push',
  summary: 'Copy missing items to another server',
  examples: [
    'relt sync push --with https://radar.example --dry-run',
    'relt sync push --local --with https://radar.example --json',
  ],
})

const both = syncing(['pull', 'push'], {
  name: 'both',
  summary: 'Copy missing items in both directions',
  examples: ['relt sync both --with https://radar.example --dry-run', 'relt sync both --server old --with new'],
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
