import { paint } from '../../../render/terminal/draw.ts'
import type { Runner } from '../../../scan/runner.ts'
import { readyTone } from '../../../views/outcome.ts'
import { titles } from '../../../views/titles.ts'
import { show } from '../../output/output.ts'
import { noun, verb } from '../../program/verb.ts'
import collect from './collect.ts'
import inventory from './inventory.ts'
import run from './run.ts'

export const doctor = verb({
  name: 'doctor',
  summary: 'Check the runners and kubectl on this machine',
  examples: ['relt scan doctor', 'relt scan doctor --json'],
  run: async (cli) => {
    const { findRunners, missing } = await import('../../../scan/runner.ts')
    const { findKubectl } = await import('../../../scan/kubectl.ts')
    const { env } = cli.context
    const toState = ({ name, file, lacks }: Runner) => ({
      name: name as string,
      file: file ?? null,
      ready: file !== undefined && lacks === undefined,
      reason: file === undefined ? missing(name) : (lacks ?? null),
    })
    const runners = (await findRunners(env)).map(toState)
    const kubectl = findKubectl(env) ?? null
    const inventory = {
      name: 'inventory',
      file: kubectl,
      ready: kubectl !== null,
      reason: kubectl === null ? 'no kubectl on PATH' : null,
    }
    const chosen = runners.find((runner) => runner.ready)?.name ?? null
    await show(cli, {
      body: { chosen, runners, inventory },
      rows: [...runners, inventory],
      columns: (io) => [
        { title: titles.check, value: ({ name }) => name },
        {
          title: titles.state,
          value: ({ name, ready }) => (!ready ? 'missing' : name === chosen ? 'chosen' : 'ready'),
          style: (cell, { ready }) => paint(io, readyTone(ready))(cell),
        },
        { title: titles.found, value: ({ file, reason }) => reason ?? file ?? '' },
      ],
    })
  },
})

export default noun({
  examples: ['relt scan run --profile prod --compare', 'relt scan doctor'],
  verbs: [run, collect, inventory, doctor],
})
