import { describe, expect, test } from 'vitest'
import { bundledExploited, bundledStateFacts } from '../../src/catalog/state-facts.ts'
import { StateFactsFile } from '../../src/contract/state-facts.ts'
import { readLine } from '../../src/freshness/facts/version-line.ts'
import { parseVersion } from '../../src/freshness/versions.ts'
import { bundledProjects } from '../helpers/bundled-catalog.ts'

const { projects, faults, repositories, rules } = bundledStateFacts()
const slugs = new Set(bundledProjects().map(({ slug }) => slug))
const repeated = (list: string[]) => list.filter((entry, i) => list.indexOf(entry) !== i)

describe('the bundled facts', () => {
  test('are of the shapes that an own file has', () => {
    const file = { projects, releases: faults, repositories, rules }
    expect(StateFactsFile.safeParse(file).error?.issues.slice(0, 3)).toBeUndefined()
  })

  test('name projects of the catalog, and each thing once', () => {
    const named = [...projects, ...faults, ...rules].flatMap(({ slug }) => slug ?? [])
    expect(named.filter((slug) => !slugs.has(slug))).toEqual([])
    expect(repeated(projects.map(({ slug, name, line }) => `${slug} ${name} ${line}`))).toEqual([])
    expect(repeated(repositories.map(({ repository, chart }) => `${repository} ${chart}`))).toEqual([])
  })

  test('say what each fact is about, in lines and versions that can be read', () => {
    expect(projects.flatMap(({ line }) => line ?? []).filter((line) => !readLine(line))).toEqual([])
    expect(faults.filter((fault) => !fault.slug && !fault.image_repository && !fault.chart_name)).toEqual([])
    const versions = faults.flatMap((fault) => (typeof fault.versions === 'string' ? [] : fault.versions))
    expect(versions.filter((version) => !parseVersion(version))).toEqual([])
    expect(versions.length).toBeGreaterThan(100)
  })

  test('never lead back to a repository that has moved', () => {
    for (const { repository, moved_to } of repositories) expect(moved_to).not.toBe(repository)
  })
})

test('the whole list of exploited vulnerabilities is bundled', () => {
  const { asOf, exploited } = bundledExploited()
  expect([asOf, exploited.size]).toEqual(['2026-08-21', 1674])
  expect(exploited.get('CVE-2023-44487')).toEqual({ since: '2023-10-10', due: '2023-10-31', ransomware: false })
  expect([...exploited.keys()].filter((id) => !/^CVE-\d{4}-\d{4,}$/.test(id))).toEqual([])
})
