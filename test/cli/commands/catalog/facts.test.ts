import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openLocalServer, sendJson } from '../../../collectors/local-server.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { makeSmallStore } from '../../../helpers/small-store.ts'

const source = 'https://intranet.example/facts'
const facts = {
  projects: [{ slug: 'argo-cd', name: 'Argo CD', state: 'retired', what: 'We leave it.', since: '2026-01-01', source }],
  releases: [{ slug: 'nginx', versions: ['1.27.3'], kind: 'malicious', reason: 'Ours was planted.', source }],
  repositories: [
    {
      repository: 'docker.io/library/nginx',
      state: 'moved',
      moved_to: 'mirror.example/nginx',
      what: 'We moved.',
      source,
    },
  ],
}

async function openStore() {
  const home = temporaryFolder()
  await makeSmallStore(home)
  const run = (argv: string[], env: Record<string, string> = {}) => runCli(argv, { home, env })
  const load = (content: unknown, ...more: string[]) => {
    const file = join(home, 'facts.json')
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    return run(['catalog', 'import', file, ...more])
  }
  const freshness = async () => {
    const { items } = JSON.parse((await run(['reports', 'freshness', '--json'])).stdout)
    return (name: string) => items.find((item: { display_name: string }) => item.display_name.startsWith(name))
  }
  return { run, load, freshness }
}

describe('your own facts', () => {
  test('change states and steps, until another file replaces them', async () => {
    const { load, freshness } = await openStore()
    const done = await load(facts)
    expect(done).toMatchObject({ code: 0 })
    expect(done.stderr + done.stdout).toContain(
      'Imported: 1 project with another fate, 1 fact about bad releases, 1 repo',
    )
    const of = await freshness()
    expect(of('nginx')).toMatchObject({ states: ['compromised', 'moved', 'unsupported'], status: 'major_behind' })
    expect(of('nginx').steps.urgent.image).toBe('mirror.example/nginx:1.27.4')
    expect(of('argo-cd').states).toEqual(['retired'])
    expect((await load({})).code).toBe(0)
    expect((await freshness())('nginx').states).toEqual(['unsupported'])
  })

  test('are counted with their age beside the bundled ones', async () => {
    const { load, run } = await openStore()
    await load({ ...facts, exploited: [{ id: 'CVE-2026-1', since: '2026-08-30' }] })
    const { facts: known } = JSON.parse((await run(['catalog', 'status', '--json'])).stdout)
    expect(known).toContainEqual({
      source: 'file',
      kind: 'fault',
      facts: 1,
      as_of: null,
      answered_at: expect.anything(),
    })
    expect(known[0]).toMatchObject({ source: 'bundled', kind: 'exploited', as_of: '2026-08-21' })
    const { stdout, stderr } = await run(['catalog', 'status'])
    expect(stdout + stderr).toContain('exploited vulnerabilities: 2026-08-21 (bundled)')
    expect(stdout + stderr).toContain('4 of your own')
  })

  test.each<[unknown, string]>([
    ['{"projects": [', 'It is no JSON.'],
    [{ project: [] }, 'It has a member project'],
    [{ projects: [{ ...facts.projects[0], state: 'gone' }] }, 'projects.0.state'],
    [{ projects: [{ name: 'x', state: 'retired', what: 'x', source }] }, 'projects.0: name a slug'],
    [{ releases: [{ ...facts.releases[0], versions: '1.x to 2' }] }, 'releases.0.versions: 1.x to 2 is no line'],
    [{ releases: [{ kind: 'broken', reason: 'x', source, versions: ['1'] }] }, 'releases.0: name a slug'],
    [{ exploited: [{ id: 'CVE-2026-1', since: 'yesterday' }] }, 'exploited.0.since'],
    [{ projects: [{ ...facts.projects[0], lines: '<2' }] }, 'projects.0: lines is no member of it'],
    [{ projects: [{ name: 'x', chart: 'x', state: 'retired', what: 'x', source }] }, 'name a slug beside the chart'],
    [{ repositories: [{ ...facts.repositories[0], from: 'now on' }] }, 'repositories.0.from: the first version'],
  ])('%j are refused whole', async (content, why) => {
    const { load, run } = await openStore()
    const { code, stderr } = await load(content)
    expect({ code, stderr }).toEqual({ code: expect.any(Number), stderr: expect.stringContaining(why) })
    expect(code).not.toBe(0)
    const { facts: known } = JSON.parse((await run(['catalog', 'status', '--json'])).stdout)
    expect(known.filter((one: { source: string }) => one.source === 'file')).toEqual([])
  })
})

describe('the list of exploited vulnerabilities', () => {
  const entry = (id: string, ransomware = 'Unknown') => ({
    ...{ cveID: id, dateAdded: '2026-08-30', dueDate: '2026-09-20', knownRansomwareCampaignUse: ransomware },
  })
  const toList = (count: number) => ({
    dateReleased: '2026-08-31T10:00:00.0Z',
    vulnerabilities: Array.from({ length: count }, (_, index) => entry(`CVE-2026-${10_000 + index}`, 'Known')),
  })

  test('is fetched by a sync of all, once, and a part of it is not taken for the whole', async () => {
    const { run } = await openStore()
    let list: unknown = toList(600)
    const server = await openLocalServer((_, response) => sendJson(response, list))
    const sync = (...more: string[]) =>
      run(['catalog', 'sync', ...more], {
        ...{ RELT_GITHUB_URL: server.url, RELT_GITHUB_API_URL: server.url, RELT_EOL_URL: 'none' },
        RELT_KEV_URL: `${server.url}/kev.json`,
      })
    const answer = async () => JSON.parse((await sync('--json')).stdout).facts[0]
    const changed = { source: 'kev', kind: 'exploited', outcome: 'changed', reason: null, facts: 600 }
    expect(await answer()).toEqual({ ...changed, as_of: '2026-08-31' })
    expect(await answer()).toMatchObject({ outcome: 'unchanged', as_of: '2026-08-31' })
    list = toList(3)
    expect(await answer()).toMatchObject({ outcome: 'unreachable', as_of: '2026-08-31' })
    const { facts: known } = JSON.parse((await run(['catalog', 'status', '--json'])).stdout)
    expect(known.find((one: { source: string }) => one.source === 'kev')).toMatchObject({ facts: 600 })
    expect((await sync('nginx', '--json')).stdout).not.toContain('"kev"')
  })
})
