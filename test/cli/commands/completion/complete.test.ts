import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '../../../helpers/cli.ts'
import { folderOfFile } from '../../../helpers/output.ts'
import { makeSmallStore } from '../../../helpers/small-store.ts'

const withRuns = folderOfFile()
beforeAll(() => makeSmallStore(withRuns).then(() => {}))
const askIn =
  (home: string) =>
  async (prefix: string, ...before: string[]) => {
    const { code, stdout, stderr } = await runCli(['__complete', `:${prefix}`, ...before], { home })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout.split('\n').filter(Boolean)
  }
const ask = askIn(folderOfFile())
const values = (lines: string[]) => lines.map((line) => line.split('\t')[0])

describe('completing', () => {
  test('names nouns with what they are for', async () => {
    expect(await ask('proj')).toEqual(['projects\tSearch projects and their releases'])
  })

  test('names the verbs of a noun', async () => {
    expect(values(await ask('', 'projects'))).toEqual(expect.arrayContaining(['search', 'list', 'show', 'releases']))
    expect(values(await ask('s', '--json', 'projects'))).toEqual(['search', 'show'])
  })

  test('names options of the verb and of every command', async () => {
    const options = values(await ask('--', 'projects', 'releases'))
    expect(options).toEqual(expect.arrayContaining(['--type', '--limit', '--json', '--help']))
    expect(values(await ask('--ty', 'projects', 'releases'))).toEqual(['--type'])
  })

  test.each([
    [['he', 'projects', 'releases', 'x', '--type'], ['helm']],
    [['he', 'projects', 'releases', 'x', '-t'], ['helm']],
    [['--type=he', 'projects', 'releases', 'x'], ['--type=helm']],
    [['--nothing=he', 'projects', 'releases', 'x'], []],
    [['p', 'completion'], ['powershell']],
  ])('names the choices of a value: %j', async ([prefix, ...before], expected) => {
    expect(values(await ask(prefix!, ...before))).toEqual(expected)
  })

  test.each([
    [
      ['', 'findings', 'list', '--severity'],
      ['critical', 'high', 'medium', 'low', 'info', 'unknown'],
    ],
    [['critical,h', 'findings', 'list', '-s'], ['critical,high']],
    [
      ['--redact=ids,name', 'reports', 'html'],
      ['--redact=ids,names', '--redact=ids,namespaces'],
    ],
  ])('names words of a list: %j', async ([prefix, ...before], expected) => {
    expect(values(await ask(prefix!, ...before)).sort()).toEqual(expected.sort())
  })

  test('names projects as people type them', async () => {
    expect(values(await ask('argo-r', 'projects', 'show'))).toEqual(['argo-rollouts'])
    expect(await ask('no-such', 'projects', 'show')).toEqual([])
  })

  test('leaves files to the shell', async () => {
    expect(await ask('', 'reports', 'upload')).toEqual([':files'])
  })

  test('names nothing once all arguments are there', async () => {
    expect(await ask('', 'projects', 'show', 'argo-cd')).toEqual([])
  })
})

describe('names that exist', () => {
  const home = withRuns
  const ask = askIn(home)

  test.each([
    ['', 'auth', 'switch'],
    ['', 'auth', 'logout'],
    ['', '--server'],
  ])('are those of servers: %j', async (prefix, ...before) => {
    const file = join(home, 'config.json')
    const server = { url: 'https://radar.example/api/relt/v1', username: 'ada', secret: 'file' }
    writeFileSync(file, JSON.stringify({ servers: { work: server } }))
    const found = await ask(prefix, ...before)
    rmSync(file)
    expect(found).toEqual(['work\thttps://radar.example/api/relt/v1', 'local\tthe store on this machine'])
  })

  test('are those of settings', async () => {
    expect(await ask('timeo', 'config', 'set')).toEqual(['timeout\tlimit of a call in seconds, including retries'])
  })

  test.each([
    ['reports', 'show'],
    ['reports', 'compare', '--from'],
    ['reports', 'compare', '--to'],
    ['gate', 'check'],
  ])('are those of runs: %s %s', async (...before) => {
    const found = (await ask('', ...before)).map((line) => line.split('\t'))
    const times = ['1 day ago', '1 week ago', '2 weeks ago'].map((time) => `shop-prod (prod), ${time}`)
    expect(found).toEqual([
      ...['latest', 'latest~1', 'latest~2'].map((value, index) => [value, times[index]]),
      ...times.map((time) => [expect.stringMatching(/^crun_\w{16}$/), time]),
    ])
  })

  test('are those of runs of the cluster that is named before', async () => {
    expect(await ask('', 'reports', 'show', '--cluster', 'other')).toEqual([])
    expect(await ask('latest~', 'reports', 'show', '-c', 'shop-prod', '-e', 'prod')).toHaveLength(2)
    expect(await ask('latest~', 'reports', 'show', '--cluster=shop-prod')).toHaveLength(2)
  })

  test('are the beginning of an id without what all ids share', async () => {
    const [id = ''] = values(await ask('crun_', 'reports', 'show'))
    expect(values(await ask(id.slice(5, 12), 'reports', 'show'))).toEqual([id.slice(5)])
  })

  test('are those of clusters and their environments', async () => {
    expect(await ask('sh', 'reports', 'show', '--cluster')).toEqual(['shop-prod\tprod'])
    expect(await ask('', 'reports', 'show', '--cluster', 'shop-prod', '-e')).toEqual(['prod\t'])
  })

  test('are those of keys', async () => {
    await runCli(['keys', 'create', 'pipeline'], { home })
    expect(await ask('pipe', 'keys', 'revoke')).toEqual(['pipeline\t2026-09-01 12:00:00'])
  })

  test('are none where the settings are broken', async () => {
    const file = join(home, 'config.json')
    writeFileSync(file, '{')
    expect(await ask('', 'auth', 'switch')).toEqual([])
    expect(await ask('proj')).toHaveLength(1)
    rmSync(file)
  })
})
