/**
 * Every figure of the project, as ratios of two sides measured in one run: `npm run bench -- [name…]`. Ends with 1 when a
 * bound is not kept: other work on the machine makes one miss now and then, so a bench that misses is repeated, and the medians
 * count. `--write` sets the bounds of the named benches, or of all, to the highest of three rounds and a fifth.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { agent } from './agent.ts'
import { backup } from './backup.ts'
import { collect } from './collect.ts'
import { fleet } from './fleet.ts'
import { fleetReport } from './fleet-report.ts'
import { freshness } from './freshness.ts'
import { gate } from './gate.ts'
import { helmIndex } from './helm-index.ts'
import { history } from './history.ts'
import { impact } from './impact.ts'
import { largeReport } from './large-report.ts'
import { type Figure, median } from './measure.ts'
import { metrics } from './metrics.ts'
import { neighbors } from './neighbors.ts'
import { packageSize } from './package-size.ts'
import { pages } from './pages.ts'
import { postgres } from './postgres.ts'
import { scan } from './scan.ts'
import { server } from './server.ts'
import { startup } from './startup.ts'
import { upgrade } from './upgrade.ts'
import { upload } from './upload.ts'

const benches: Record<string, () => Promise<Figure[]>> = {
  startup,
  packageSize,
  upload,
  largeReport,
  history,
  server,
  gate,
  scan,
  collect,
  helmIndex,
  impact,
  upgrade,
  freshness,
  fleet,
  fleetReport,
  pages,
  metrics,
  agent,
  backup,
  neighbors,
  postgres,
}
const rounds = 3
const write = process.argv.includes('--write')
const chosen = process.argv.slice(2).filter((word) => word !== '--write')
const unknown = chosen.filter((name) => !(name in benches))
if (unknown.length > 0) throw new Error(`No bench is named ${unknown.join(', ')}: ${Object.keys(benches).join(', ')}`)

const boundsFile = new URL('bounds.json', import.meta.url)
/** The most that ratios may be, by bench and name of the figure. */
const bounds: Record<string, Record<string, number>> = JSON.parse(readFileSync(boundsFile, 'utf8'))

for (const [bench, run] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(bench)) continue
  const measured = [await run()]
  const isMissed = measured[0]!.some((figure) => isKept(bench, figure) === false)
  while ((write || isMissed) && measured.length < rounds) measured.push(await run())
  const figures = measured[0]!.map((_, i) => medianOf(measured.map((round) => round[i]!)))
  if (write) setBounds(bench, measured)
  for (const figure of figures) {
    if (isKept(bench, figure) === false) process.exitCode = 1
    console.log(toLine(bench, figure))
  }
}

function medianOf(figures: Figure[]): Figure {
  const middle = median(figures.map(ratioOf))
  return figures.find((figure) => ratioOf(figure) === middle)!
}

function ratioOf({ ours, base }: Figure): number {
  return ours / base
}

function setBounds(bench: string, rounds: Figure[][]): void {
  const own = rounds.flat().filter(({ atMost, isUnbounded }) => atMost === undefined && !isUnbounded)
  const byName = Map.groupBy(own, ({ name }) => name)
  bounds[bench] = Object.fromEntries(
    [...byName].map(([name, figures]) => [name, Math.ceil(Math.max(...figures.map(ratioOf)) * 120) / 100]),
  )
  writeFileSync(boundsFile, `${JSON.stringify(bounds, null, 2)}\n`)
}

function boundFor(bench: string, { name, atMost }: Figure): number | undefined {
  return atMost ?? bounds[bench]?.[name]
}

/** Undefined: it has no bound and needs none. A missing bound is not kept. */
function isKept(bench: string, figure: Figure): boolean | undefined {
  if (figure.isUnbounded) return undefined
  return ratioOf(figure) <= (boundFor(bench, figure) ?? 0)
}

function toLine(bench: string, figure: Figure): string {
  const { name, ours, base, unit, isUnbounded } = figure
  const bound = isUnbounded ? '' : `at most ${boundFor(bench, figure) ?? '?'}`
  const verdict = { true: 'ok', false: 'MISSED', undefined: '' }[`${isKept(bench, figure)}`]
  const sides = `${ours.toFixed(1)} / ${base.toFixed(1)} ${unit}`
  const ratio = ratioOf(figure).toFixed(2)
  return `${name.padEnd(60)} ${ratio.padStart(6)}  ${bound.padEnd(13)}  ${verdict.padEnd(6)}  (${sides})`
}
