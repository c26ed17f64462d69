import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Figure, inFolder, median, node, runOnce } from './measure.ts'
import { binary } from './startup.ts'

const fixture = 'test/fixtures/report-native-2026-04.json'
const runs = 15

/** The upload of a real-sized report; each run a new one, since the same report is not stored twice. */
export function upload(): Promise<Figure[]> {
  return inFolder((home) => {
    const report = readFileSync(fixture, 'utf8')
    const file = join(home, 'report.json')
    const bare: number[] = []
    const ours: number[] = []
    for (let run = 0; run < runs; run++) {
      writeFileSync(file, report.replace('2026-04-15T10:21:11Z', `2026-04-15T10:${String(10 + run)}:00Z`))
      bare.push(runOnce({ argv: [node, '-e', '0'] }).ms)
      ours.push(runOnce({ argv: [binary(), '--local', 'reports', 'upload', file], env: { RELT_HOME: home } }).ms)
    }
    return [{ name: 'upload of a real report / node -e 0', ours: median(ours), base: median(bare), unit: 'ms' }]
  })
}
