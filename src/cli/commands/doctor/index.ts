import { readConfig } from '../../../config/config-file.ts'
import type { Context } from '../../../context.ts'
import { ReltError } from '../../../errors.ts'
import { paint } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { wrapCell } from '../../../render/terminal/wrap.ts'
import { checkTones } from '../../../views/outcome.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { member, show } from '../../output/output.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import {
  checkCatalog,
  checkCluster,
  checkNetwork,
  checkProgram,
  checkScanner,
  checkSettings,
  checkTerminal,
} from './here.ts'
import { type DoctorCheck, find, type Line } from './line.ts'
import { checkServer } from './server.ts'
import { checkFolder, checkStore } from './store.ts'

const checks: [name: string, check: DoctorCheck][] = [
  ['program', checkProgram],
  ['terminal', checkTerminal],
  ['settings', checkSettings],
  ['network', checkNetwork],
  ['server', checkServer],
  ['catalog', checkCatalog],
  ['scanner', checkScanner],
  ['cluster', checkCluster],
  ['data folder', checkFolder],
]

export default verb({
  examples: ['relt doctor', 'relt doctor --server work --json', 'relt doctor --data /var/lib/relt'],
  options: {
    '--data <folder>': 'data folder or postgres:// address of the store (default: RELT_HOME, or the platform default)',
  },
  /** Throws if a check fails: `unreachable` if the failure may be temporary. */
  run: async (cli) => {
    const lines = await allLines(cli)
    await show(cli, {
      body: {
        healthy: lines.every(({ state }) => state !== 'fail'),
        checks: lines.map(({ check, state, found, hint }) => ({ check, state, found, hint: hint ?? null })),
      },
      rows: lines,
      columns: () => [
        { title: titles.check, value: member('check') },
        { title: titles.state, value: member('state') },
        { title: titles.found, value: member('found') },
        { title: 'Hint', value: ({ hint }) => hint ?? '' },
      ],
      text: (io) => lines.map((line) => renderLine(io, line)).join(''),
    })
    const failures = lines.filter(({ state }) => state === 'fail')
    if (failures.length === 0) return
    const code = failures.every(({ passing }) => passing) ? 'unreachable' : 'unhealthy'
    throw new ReltError(code, `Failed checks: ${failures.map(({ check }) => check).join(', ')}.`)
  },
})

async function allLines({ context, io, flags }: Cli) {
  const surroundings = { context, io, flags, config: readableConfig(context) }
  const found = await Promise.all(checks.map(([name, check]) => find(name, check, surroundings)))
  // Runs last: SQLite blocks the thread, which would make other checks appear slow.
  return [...found.flat(), ...(await find('store', checkStore, surroundings))]
}

function renderLine(io: Io, { check, state, found, hint }: Line) {
  const { color, isTerminal, width } = io
  const indent = 22
  const lines = isTerminal ? wrapCell(plain(found), width - indent) : [plain(found)]
  const what = `${paint(io, checkTones[state])(state.padEnd(4))}  ${check.padEnd(14)}  ${lines.join(`\n${' '.repeat(indent)}`)}\n`
  return hint ? `${what}      ${color.dim(plain(hint))}\n` : what
}

/** Undefined if invalid; another check reports the problem. */
function readableConfig({ env }: Context) {
  try {
    return readConfig(env)
  } catch {
    return undefined
  }
}
