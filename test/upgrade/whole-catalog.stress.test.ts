import { beforeAll, describe, expect, test } from 'vitest'
import { bundledStateFacts } from '../../src/catalog/state-facts.ts'
import { bundledUpgradeFacts } from '../../src/catalog/upgrade-facts.ts'
import type { UpgradeCheck, UpgradeStep } from '../../src/contract/upgrade.ts'
import { openService, type TestService } from '../operations/service.ts'

/** An independent reading of the facts: nothing here is taken from the planner. */
const { compatibility } = bundledUpgradeFacts()
const { faults, rules } = bundledStateFacts()
const toNumbers = (version: string) => (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number)
const toMinor = (text: string) => Number(text.split('.')[1])

function compare(a: string, b: string): number {
  const [left, right] = [toNumbers(a), toNumbers(b)]
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function rowsFor(slug: string, version: string) {
  const own = compatibility.filter((row) => row.slug === slug)
  const length = own[0]?.line.split('.').length ?? 2
  const line = toNumbers(version).slice(0, length).join('.')
  return own.filter(
    (row) => row.line === line && (row.from_patch === undefined || compare(version, row.from_patch) >= 0),
  )
}

/** Whether a published range says no. */
function isOut(slug: string, version: string, kubernetes: number): boolean {
  const rows = rowsFor(slug, version)
  const decides = ['supported', 'stated', 'tested'].flatMap(
    (kind) => rows.findLast((row) => row.kind === kind) ?? [],
  )[0]
  return [...rows.filter(({ kind }) => kind === 'required'), ...(decides ? [decides] : [])].some(
    ({ kubernetes_min: min, kubernetes_max: max }) =>
      (min !== null && kubernetes < toMinor(min)) || (max !== null && kubernetes > toMinor(max)),
  )
}

/** Its line has a range that holds from a later patch on. */
const startsLater = (slug: string, version: string) =>
  rowsFor(slug, version).length === 0 && rowsFor(slug, `${version}.9999`.replace(/\.\d+\.9999$/, '.9999')).length > 0

const isTooOldFor = (slug: string, version: string, kubernetes: number) =>
  isOut(slug, version, kubernetes) &&
  rowsFor(slug, version).some(({ kubernetes_max: max }) => max !== null && kubernetes > toMinor(max))

const pairs = [
  [29, 30],
  [29, 36],
  [31, 34],
  [33, 34],
  [33, 35],
  [35, 36],
] as const

/** Every line of every project, at a patch in its middle. */
const everyPart = [...new Map(compatibility.map((row) => [`${row.slug} ${row.line}`, row])).values()].map(
  ({ slug, line }) => ({ project_slug: slug, version: line.includes('.') ? `${line}.1` : `${line}.0.1` }),
)

describe.each(pairs)('plans of the whole catalog from 1.%i to 1.%i', (from, to) => {
  const answers: UpgradeCheck[] = []
  const parts: UpgradeCheck['parts'] = []
  let service: TestService

  beforeAll(async () => {
    const closers: (() => Promise<void>)[] = []
    service = await openService(':memory:', (close) => closers.push(close), { catalog: true })
    for (let index = 0; index < everyPart.length; index += 500) {
      const body = { kubernetes: `1.${from}`, to: `1.${to}`, parts: everyPart.slice(index, index + 500) }
      answers.push(await service.call('checkUpgrade', { body }))
    }
    parts.push(...answers.flatMap((answer) => answer.parts))
    return async () => {
      for (const close of closers) await close()
    }
  })

  /** The steps of one part, in order: several lines of a project are asked about at once. */
  function* chains(): Generator<UpgradeStep[]> {
    for (const { steps } of answers) {
      for (const own of Map.groupBy(steps, ({ project_slug }) => project_slug).values()) {
        const open = [...own]
        for (let first = open.shift(); first; first = open.shift()) {
          const chain = [first]
          for (;;) {
            const index = open.findIndex((step) => step.from === chain.at(-1)!.to)
            if (index < 0) break
            chain.push(open.splice(index, 1)[0]!)
          }
          yield chain
        }
      }
    }
  }

  test('answer for every part, and say why', () => {
    expect(parts).toHaveLength(everyPart.length)
    for (const { needs, to_version, evidence } of parts) {
      expect(evidence.length).toBeGreaterThan(0)
      expect(to_version !== null).toBe(needs === 'upgrade_before')
    }
  })

  test('find fault only with what a published range refuses', () => {
    for (const { project_slug, current_version, needs } of parts) {
      const isRefused = isOut(project_slug, current_version!, to)
      if (needs === 'ok')
        expect([project_slug, current_version, isRefused]).toEqual([project_slug, current_version, false])
      if (needs === 'blocked' || needs === 'upgrade_before') {
        const isEver = Array.from({ length: to - from }, (_, index) => from + index + 1).some((minor) =>
          isOut(project_slug, current_version!, minor),
        )
        if (!isEver && startsLater(project_slug, current_version!)) continue
        expect([project_slug, current_version, isEver]).toEqual([project_slug, current_version, true])
      }
    }
  })

  test('only go up, and never to a release that nobody should take', () => {
    for (const { steps } of answers) {
      for (const { project_slug, from: start, via, to: end } of steps) {
        const way = [start, ...via, end]
        for (const [index, version] of way.entries()) {
          if (index > 0) expect([...way, compare(version, way[index - 1]!) > 0]).toEqual([...way, true])
        }
        const bad = faults.filter(
          ({ slug, image_repository, chart_name, versions }) =>
            slug === project_slug &&
            image_repository === undefined &&
            chart_name === undefined &&
            Array.isArray(versions) &&
            versions.some((version) =>
              way.slice(1).some((one) => compare(one, version) === 0 && one.replace(/^v/, '') === version),
            ),
        )
        expect(bad).toEqual([])
      }
    }
  })

  test('stop where a project requires it, and take no minor version of those that take each in turn', () => {
    for (const { steps } of answers) {
      for (const { project_slug, from: start, via, to: end } of steps) {
        const way = [start, ...via, end]
        for (const rule of rules.filter(({ slug }) => slug === project_slug)) {
          if (rule.rule === 'required-stop') {
            const crosses = compare(start, String(rule.to)) < 0 && compare(end, String(rule.to)) >= 0
            if (crosses && compare(start, String(rule.value)) < 0) {
              const stop = toNumbers(String(rule.value)).slice(0, 2).join('.')
              expect([project_slug, way.some((one) => toNumbers(one).slice(0, 2).join('.') === stop)]).toEqual([
                project_slug,
                true,
              ])
            }
          }
          if (rule.rule === 'minor-by-minor' && rule.from === undefined) {
            const skips = way.slice(1).filter((one, index) => {
              const [[major, minor], [nextMajor, nextMinor]] = [toNumbers(way[index]!), toNumbers(one)] as [
                number[],
                number[],
              ]
              return major === nextMajor && nextMinor! - minor! > 1
            })
            // Some projects skip numbers themselves; then the catalog knows no release in between.
            expect([project_slug, skips.length === 0 || project_slug === 'linkerd' ? [] : skips]).toEqual([
              project_slug,
              [],
            ])
          }
        }
      }
    }
  })

  test('keep every published range at every moment, but of parts that move with Kubernetes', () => {
    for (const chain of chains()) {
      for (const [index, { project_slug, when, hop, to: version }] of chain.entries()) {
        if (when === 'after') continue
        const at = toMinor(hop!)
        const until = chain[index + 1] ? toMinor(chain[index + 1]!.hop!) - 1 : at
        for (let minor = at - 1; minor <= until; minor++) {
          expect([project_slug, version, minor, isOut(project_slug, version, minor)]).toEqual([
            project_slug,
            version,
            minor,
            false,
          ])
        }
      }
    }
  })

  test('stop only at versions that go with the Kubernetes of the moment, where what runs does', () => {
    for (const { steps } of answers) {
      for (const { project_slug, when, hop, from: start, via } of steps) {
        const before = toMinor(hop!) - 1
        if (when === 'after' || isOut(project_slug, start, before)) continue
        // The LTS goes with newer Kubernetes than the lines after it.
        if (project_slug === 'cert-manager' && start.startsWith('1.12.')) continue
        const out = via.filter((version) => isOut(project_slug, version, before))
        expect([project_slug, start, before, out]).toEqual([project_slug, start, before, []])
      }
    }
  })

  test('leave no part behind that says it is done', () => {
    for (const { project_slug, needs, current_version } of parts) {
      if (needs !== 'upgrade_before') continue
      const chain = [...chains()].find(
        ([first]) => first!.project_slug === project_slug && first!.from === current_version,
      )
      if (chain) expect([project_slug, isTooOldFor(project_slug, chain.at(-1)!.to, to)]).toEqual([project_slug, false])
    }
  })

  test('number their steps through all hops', () => {
    for (const { steps, hops } of answers) {
      expect(steps.map(({ number }) => number)).toEqual(steps.map((_, index) => index + 1))
      expect(hops.flatMap((hop) => hop.steps)).toEqual(steps.map(({ number }) => number))
      expect(hops.map((hop) => toMinor(hop.to))).toEqual(
        Array.from({ length: to - from }, (_, index) => from + index + 1),
      )
    }
  })
})
