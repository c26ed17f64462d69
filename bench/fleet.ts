import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { generateFleet } from './fleet/generate.ts'
import { type Figure, median, node, relt, runInTurn, runOnce, usageOf, usageOfBareNode } from './measure.ts'

const findings = 5000
const runs = 11

/** What the commands of a fleet cost over 1,000 clusters, and how that grows with the runs of each cluster. */
export async function fleet(): Promise<Figure[]> {
  const { home } = await generateFleet({ clusters: 1000, runs: 30, findings })
  const commands = commandsFor(home)
  const [base, ...times] = runInTurn(
    [{ argv: [node, '-e', '0'] }, ...commands.map(({ argv }) => ({ argv: relt(...argv), env: { RELT_HOME: home } }))],
    runs,
  )
  const { peakMb } = usageOfBareNode()
  return [
    ...commands.map(
      ({ name }, i): Figure => ({ name: `${name} / node -e 0`, ours: times[i]!, base: base!, unit: 'ms' }),
    ),
    ...commands.map(
      ({ name, argv }): Figure => ({
        name: `peak memory of ${name} / node -e 0`,
        ours: usageOf(argv, { RELT_HOME: home }).peakMb,
        base: peakMb,
        unit: 'MB',
      }),
    ),
    {
      name: 'status after a catalog change / node -e 0',
      ours: afterChange(home),
      base: base!,
      unit: 'ms',
    },
    ...(await growth()),
  ]
}

/** Median in ms of the first command after the catalog changed, which judges what runs in all clusters again. */
function afterChange(home: string): number {
  const times = Array.from({ length: 3 }, () => {
    const store = new DatabaseSync(join(home, 'relt.db'))
    store.exec('delete from catalog_revision')
    store.close()
    return runOnce({ argv: relt('status', '--json'), env: { RELT_HOME: home } }).ms
  })
  return median(times)
}

/** A tenth of the clusters, so that ten times their runs are soon generated. */
async function growth(): Promise<Figure[]> {
  const homes: string[] = []
  for (const count of [10, 100]) homes.push((await generateFleet({ clusters: 100, runs: count, findings })).home)
  const each = homes.map(commandsFor)
  const times = runInTurn(
    each.flatMap((commands, i) => commands.map(({ argv }) => ({ argv: relt(...argv), env: { RELT_HOME: homes[i]! } }))),
    runs,
  )
  const few = each[0]!
  return few.map(({ name }, i) => ({
    name: `${name}, 100 runs / 10 runs`,
    ours: times[few.length + i]!,
    base: times[i]!,
    unit: 'ms',
  }))
}

interface FleetCommand {
  name: string
  argv: string[]
}

function commandsFor(home: string): FleetCommand[] {
  const critical = ['findings', 'list', '--all', '--severity', 'critical', '--json']
  const { stdout } = runOnce({ argv: relt(...critical), env: { RELT_HOME: home } })
  const { fingerprint } = JSON.parse(stdout).items[0]
  return [
    { name: 'findings list --all --severity critical', argv: critical },
    { name: 'findings show', argv: ['findings', 'show', fingerprint, '--json'] },
    // The figures of clusters are made by the first call, which is no part of the measurement.
    { name: 'status', argv: ['status', '--json'] },
    { name: 'clusters versions argo-cd', argv: ['clusters', 'versions', 'argo-cd', '--json'] },
  ]
}
