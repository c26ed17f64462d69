import { decide, type MissedOccurrences } from '../../src/agent/decide.ts'
import { cronSchedule, type Schedule } from '../../src/agent/schedule.ts'
import { enumerate, toSpans } from './enumerate.ts'

export interface Simulated {
  /** Instants whose occurrences ran. */
  ran: number[]
  missed: MissedOccurrences[]
}

/** Wakes at the given times and notes what was decided. */
function simulate(schedule: Schedule, start: number, wakes: Iterable<number>, maxLate = 86_400): Simulated {
  const simulated: Simulated = { ran: [], missed: [] }
  let watermark = start
  for (const now of wakes) {
    const decision = decide({ schedule, delayFor: () => 0, onMissed: 'latest', maxLate }, watermark, now)
    watermark = decision.watermark
    if (decision.due) simulated.ran.push(decision.due.at)
    if (decision.missed) simulated.missed.push(decision.missed)
  }
  return simulated
}

const day = 86_400

interface Simulation {
  pattern: string
  zone: string
  from: number
  to: number
  seed: number
  longestSleep: number
}

/**
 * Faults of an agent that sleeps at times, against the instants of the enumerator. Around each change of the clock, the
 * agent is awake and each instant is compared.
 */
export function faultsOfSchedule({ pattern, zone, from, to, seed, longestSleep }: Simulation): string[] {
  const schedule = cronSchedule({ pattern, timeZone: zone, seed: '' })
  const simulated = simulate(schedule, from, wakesOf(from, to, seed, longestSleep))
  const instants = enumerate(pattern, zone, from + 60, to + 60).filter((each) => each <= to)
  const faults = faultsFor(simulated, instants)
  for (const { to: change } of toSpans(zone, from, to).slice(0, -1)) {
    const [start, end] = [change - day, change + day]
    const expected = enumerate(pattern, zone, start, end)
    const found: number[] = []
    for (let at = schedule.next(start - 1); at !== undefined && at < end; at = schedule.next(at)) found.push(at)
    if (found.join() !== expected.join()) faults.push(`${pattern} around ${iso(change)}: ${found.map(iso)}`)
    const unlike = found.filter(
      (at, index) =>
        schedule.latest(at) !== at || schedule.latest(at - 1) !== (found[index - 1] ?? schedule.latest(at - 1)),
    )
    if (unlike.length > 0) faults.push(`${pattern} has another latest at ${unlike.map(iso)}`)
  }
  return faults
}

const iso = (at: number): string => new Date(at * 1000).toISOString().slice(0, 16)

/** What became of none or of more than one occurrence, and missed spans that were counted wrongly. */
export function faultsFor({ ran, missed }: Simulated, instants: number[]): string[] {
  const faults: string[] = []
  const times = new Uint32Array(instants.length)
  let index = 0
  const skipTo = (at: number) => {
    while (index < instants.length && instants[index]! < at) index++
  }
  for (const at of ran.toSorted((a, b) => a - b)) {
    skipTo(at)
    if (instants[index] === at) times[index]!++
    else faults.push(`${iso(at)}: ran, and was not due`)
  }
  index = 0
  for (const { from, to, count } of missed) {
    skipTo(from)
    const first = index
    for (; index < instants.length && instants[index]! <= to; index++) times[index]!++
    if (instants[first] !== from || instants[index - 1] !== to) faults.push(`missed from ${from} to ${to}`)
    if (count !== undefined && count !== index - first) faults.push(`counted ${count} from ${from}`)
  }
  for (const [each, count] of times.entries()) if (count !== 1) faults.push(`${iso(instants[each]!)}: ${count} times`)
  return faults
}

/** Times at which a machine is awake: mostly each minute or so, then asleep for a while. The same for the same seed. */
function* wakesOf(from: number, to: number, seed: number, longestSleep: number): Generator<number> {
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  let now = from
  while (now < to) {
    yield now
    now += Math.ceil(random() ** 4 * longestSleep) + 1
  }
  yield to
}
