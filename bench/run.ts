/**
 * Every figure of the project, as ratios of two sides measured in one run: `npm run bench [name…]`.
 * Ends with 1 when a bound is not kept.
 */
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
import type { Figure } from './measure.ts'
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
const chosen = process.argv.slice(2)

for (const [name, run] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  for (const { name, ours, base, unit, atMost } of await run()) {
    const ratio = ours / base
    if (atMost !== undefined && ratio > atMost) process.exitCode = 1
    const bound = atMost === undefined ? '' : `at most ${Number(atMost.toFixed(2))}`
    const verdict = atMost === undefined ? '' : ratio <= atMost ? 'ok' : 'MISSED'
    const sides = `${ours.toFixed(1)} / ${base.toFixed(1)} ${unit}`
    console.log(
      `${name.padEnd(48)} ${ratio.toFixed(2).padStart(6)}  ${bound.padEnd(12)}  ${verdict.padEnd(6)}  (${sides})`,
    )
  }
}
