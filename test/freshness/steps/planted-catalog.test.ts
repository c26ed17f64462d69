import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Step } from '../../../src/contract/step.ts'
import type { CatalogView } from '../../../src/freshness/catalog-view.ts'
import { StateFacts } from '../../../src/freshness/facts/state-facts.ts'
import { prepareCatalog } from '../../../src/freshness/prepare-catalog.ts'
import { readCycles } from '../../../src/lifecycle/cycle.ts'
import { ask, today } from '../ask.ts'
import { catalogFor } from '../catalog.ts'
import { isAffected } from '../range-oracle.ts'
import { anyPlantedCatalog, type PlantedCatalog, type PlantedProject, planted } from './planted-catalog.ts'

function knownOf({ projects, facts }: PlantedCatalog) {
  const view: CatalogView = {
    ...catalogFor(
      ...projects.map(({ slug, repository, releases, advisories }) => {
        return { slug, images: [repository], app: releases, advisories, completeSince: '2020-01-01' }
      }),
    ),
    endOfLifeFor: ({ slug }, segments, day) =>
      readCycles(projects.find((one) => one.slug === slug)!.cycles, day)(segments),
    facts: new StateFacts({ ...facts, faults: facts.releases, projects: [] }),
  }
  return prepareCatalog(view, today)
}

const isStop = (version: string) => version.startsWith('1.1.')
const severities = [null, 'low', 'medium', 'high', 'critical']
const rankFor = ({ severity }: PlantedProject['advisories'][number]) => Math.max(0, severities.indexOf(severity))

/** What is wrong with a step, by a second reading of the facts. */
function faultsFor({ version, via, image, gains }: Step, project: PlantedProject): string[] {
  const { slug, running, advisories, place, rule } = project
  const way = [running, ...via, version].map((text) => text.split('.').map(Number) as [number, number, number])
  const skipped = { 'minor-by-minor': 1, 'max-minor-skip': 2 }[rule as string] ?? Number.POSITIVE_INFINITY
  const pairs = way.slice(1).map((to, index) => ({ from: way[index]!, to }))
  const of = (text: string) => advisories.filter(({ ranges }) => isAffected(text, ranges))
  const [before, after] = [of(running), of(version)]
  const gained = after.filter((one) => !before.includes(one))
  const worstFix = Math.max(-1, ...before.filter((one) => !after.includes(one)).map(rankFor))
  return [
    ...(pairs.some(({ from, to }) => to[0] === from[0] && to[1] - from[1] > skipped) ? ['skips a minor version'] : []),
    ...(rule === 'major-by-major' && pairs.some(({ from, to }) => to[0] - from[0] > 1)
      ? ['skips a major version']
      : []),
    ...(rule === 'required-stop' && running.startsWith('1.0.') && way.at(-1)![0] > 1 && !via.some(isStop)
      ? ['leaves out a stop']
      : []),
    ...(place === 'frozen' || place === 'closed' ? ['stays at a place without new versions'] : []),
    ...(place === 'moved' && !image?.startsWith(`docker.io/new/${slug}:`) ? ['stays at the old place'] : []),
    ...gained.flatMap((one) => (gains.includes(one.id) ? [] : [`gains ${one.id} unsaid`])),
    ...gained.flatMap((one) =>
      one.exploited || rankFor(one) >= worstFix ? [`gains ${one.id}, which is no better`] : [],
    ),
  ]
}

test('no step of a random catalog leads to a planted release, off the rules or into advisories', () => {
  fc.assert(
    fc.property(anyPlantedCatalog, (catalog) => {
      const known = knownOf(catalog)
      for (const project of catalog.projects) {
        const item = ask(`${project.repository}:${project.running}`, known)
        expect(JSON.stringify(item)).not.toContain(planted)
        const steps = Object.values(item.steps!).filter((step) => step !== null)
        expect(steps.flatMap((step) => faultsFor(step, project))).toEqual([])
        expect(['up_to_date', 'minor_behind', 'major_behind', 'unknown']).toContain(item.status)
      }
    }),
    { numRuns: 300 },
  )
})

test('what runs a planted release is told to leave it, and never to another', () => {
  fc.assert(
    fc.property(anyPlantedCatalog, fc.nat(), (catalog, at) => {
      const known = knownOf(catalog)
      for (const project of catalog.projects) {
        const bad = project.releases.filter((version) => version.endsWith(`.${planted}`))
        const running = bad[at % bad.length]
        if (running === undefined) continue
        const item = ask(`${project.repository}:${running}`, known)
        expect(item.states!.some((state) => state === 'compromised' || state === 'withdrawn')).toBe(true)
        expect(item.recommendation).not.toContain('Nothing to do')
        for (const step of Object.values(item.steps!)) {
          if (step) expect([step.version, ...step.via].join()).not.toContain(planted)
        }
      }
    }),
    { numRuns: 150 },
  )
})
