import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getProjectName, resolveProject } from '../../../../src/cli/commands/projects/resolve.ts'
import type { Cli } from '../../../../src/cli/program/command.ts'
import type { Client } from '../../../../src/client/client.ts'
import { createLocalClient } from '../../../../src/client/local.ts'
import { bundledProjects } from '../../../helpers/bundled-catalog.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { folderOfFile } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'
import { talk } from '../../../helpers/terminal.ts'

const bundled = bundledProjects()
const casings = (text: string) => [...new Set([text, text.toLowerCase(), text.toUpperCase()])]
const toCli = ({ call }: Client) => ({ call, io: { isInteractive: false } }) as Cli

describe('with the bundled catalog', () => {
  const home = folderOfFile()
  let client: Client
  beforeAll(async () => {
    client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => testNow })
  })
  afterAll(() => client.close())

  test('every slug and every name is accepted in any case', async () => {
    const wrong: string[] = []
    for (const { slug, name } of bundled) {
      const id = await resolveProject(toCli(client), slug)
      expect((await client.call('getProject', { params: { id } })).product).toMatchObject({ slug, name })
      for (const typed of new Set([...casings(slug), ...casings(name)])) {
        if ((await resolveProject(toCli(client), typed)) !== id) wrong.push(typed)
      }
    }
    expect(wrong).toEqual([])
  })

  test.each([
    ['postgres', 'PostgreSQL'],
    ['K8S', 'Kubernetes'],
    ['kafka', 'Apache Kafka'],
    ['vault', 'HashiCorp Vault'],
    ['pg', 'PostgreSQL'],
    ['otel', 'OpenTelemetry'],
  ])('%s is %s', async (typed, name) => {
    expect(await getProjectName(toCli(client), typed)).toMatchObject({ name })
  })

  test.each(['argo', 'tekton', 'elk', 'redis-'])('%s needs to be said more exactly', async (typed) => {
    await expect(resolveProject(toCli(client), typed)).rejects.toMatchObject({ code: 'usage' })
  })
})

describe('with a server that has no slugs and lists the best match anywhere', () => {
  const projects = bundled
    .map(({ slug: _, releases: __, ...project }, i) => ({ ...project, id: i + 1 }))
    .sort((a, b) => (a.description < b.description ? -1 : 1))
    .map((project) => {
      const { name, description, category, repo_url } = project
      return { ...project, words: [name, description, category, repo_url].map((text) => text.toLowerCase()) }
    })
  const calls: string[] = []
  const client = {
    call: async (_: string, { query: { search, page = 1 } }: { query: { search: string; page?: number } }) => {
      calls.push(search)
      const word = search.toLowerCase()
      const found = projects.filter(({ words }) => words.some((text) => text.includes(word)))
      // It keeps to small pages, whatever is asked for.
      return { items: found.slice((page - 1) * 7, page * 7), total_pages: Math.ceil(found.length / 7) }
    },
  } as unknown as Client

  test('every slug and every name is accepted in any case', async () => {
    const wrong: string[] = []
    for (const { slug, name } of bundled) {
      for (const typed of new Set([...casings(slug), ...casings(name)])) {
        const found = await getProjectName(toCli(client), typed).catch((error) => ({ name: String(error) }))
        if (found.name !== name) wrong.push(`${typed}: ${found.name}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test.each([
    ['postgres', 'PostgreSQL'],
    ['k8s', 'Kubernetes'],
    ['kafka', 'Apache Kafka'],
    ['vault', 'HashiCorp Vault'],
    ['es', 'Elasticsearch'],
  ])('%s is %s', async (typed, name) => {
    expect(await getProjectName(toCli(client), typed)).toMatchObject({ name })
  })

  test('a name is searched for once in each spelling when it is there', async () => {
    calls.length = 0
    await getProjectName(toCli(client), 'Cilium')
    expect(new Set(calls)).toEqual(new Set(['Cilium']))
  })
})

describe('a word that could mean several projects', () => {
  const home = folderOfFile()
  beforeAll(() => makeSmallCatalog(home))

  test.each([
    ['projects', 'show', 'argo'],
    ['projects', 'releases', 'argo'],
    ['subs', 'add', 'argo'],
    ['catalog', 'status', 'argo'],
    ['catalog', 'sync', 'argo'],
    ['catalog', 'remove', 'argo'],
  ])('is refused where nobody can choose: %s %s %s', async (...argv) => {
    expect(await runCli(argv, { home })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/"argo" matches several projects.*argo-cd, argo-workflows/s),
    })
  })

  test('is chosen from on a terminal', async () => {
    const steps: [string, string][] = [
      ['Which project? (type to filter)', 'work'],
      ['Argo Workflows', '\r'],
    ]
    const { code, left, stdout } = await talk(['projects', 'show', 'argo', '--json'], steps, { home })
    expect({ code, left, name: JSON.parse(stdout).product.name }).toEqual({ code: 0, left: [], name: 'Argo Workflows' })
  })
})

test('names in a file for relt apply are the same', async () => {
  const home = temporaryFolder()
  const stdin = 'subscriptions: [{project: k8s}, {project: VAULT}, {project: Argo CD}, {project: apache-kafka}]'
  const plan = await runCli(['apply', '--dry-run', '-f', '-'], { home, stdin })
  for (const name of ['Kubernetes', 'HashiCorp Vault', 'Argo CD', 'Apache Kafka']) expect(plan.stdout).toContain(name)
  expect(
    await runCli(['apply', '--dry-run', '-f', '-'], { home, stdin: 'subscriptions: [{project: argo}]' }),
  ).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no project is called "argo"'),
  })
})
