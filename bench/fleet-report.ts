import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { generateFleet } from './fleet/generate.ts'
import { type Figure, inFolder, median, relt, runOnce, usageOf, usageOfBareNode } from './measure.ts'

const rounds = 5

/** CPU time of the page about 100 clusters: of the first, which makes the figures of all clusters, and of the ones after it. */
export async function fleetReport(): Promise<Figure[]> {
  const { home } = await generateFleet({ clusters: 100, runs: 30, findings: 300 })
  // The generated store has no catalog yet, which every other has from its beginning.
  runOnce({ argv: relt('projects', 'list', '--json'), env: { RELT_HOME: home } })
  const times = await Promise.all(Array.from({ length: rounds }, () => measure(home)))
  const base = usageOfBareNode().cpuMs
  const figure = (name: string, all: number[]): Figure => {
    return { name: `CPU of the fleet report, ${name} / node -e 0`, ours: median(all), base, unit: 'ms' }
  }
  return [
    figure(
      'first',
      times.map(({ first }) => first),
    ),
    figure(
      'again',
      times.map(({ again }) => again),
    ),
  ]
}

function measure(fleet: string): Promise<{ first: number; again: number }> {
  return inFolder((folder) => {
    cpSync(fleet, folder, { recursive: true })
    const report = ['reports', 'html', '--all', '--out', join(folder, 'fleet.html')]
    const cpuMs = () => usageOf(report, { RELT_HOME: folder }).cpuMs
    return { first: cpuMs(), again: cpuMs() }
  })
}
