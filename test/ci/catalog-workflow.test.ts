import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { bundleForm } from '../../src/contract/bundle-form.ts'
import { minimalEnv } from '../helpers/process.ts'

// GitHub's parser imports JSON as bundlers do; Node wants to be told that it is JSON.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser')

const root = fileURLToPath(new URL('../../', import.meta.url))
const name = '.github/workflows/catalog.yml'
const content = readFileSync(`${root}${name}`, 'utf8')
const { jobs, permissions } = parse(content)
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))

interface Job {
  if?: string
  environment?: string
  permissions: Record<string, string>
  steps: { name?: string; run?: string; uses?: string; env?: Record<string, string> }[]
}
const allJobs = Object.entries<Job>(jobs)
const runs = (job: string) => (jobs[job] as Job).steps.flatMap(({ run }) => run ?? [])

test('GitHub reads the workflow of the catalog', () => {
  const { context } = parseWorkflow({ name, content }, new NoOperationTraceWriter())
  expect(context.errors.getErrors().map(String)).toEqual([])
})

test('what sources answer reaches the key only after a person merged it', () => {
  expect(permissions).toEqual({})
  expect(allJobs.map(([job, { if: when }]) => [job, when])).toEqual([
    ['build', "github.event_name != 'push'"],
    ['propose', undefined],
    ['publish', "github.event_name == 'push'"],
  ])
  const withKey = allJobs.filter(([, job]) => JSON.stringify(job).includes('secrets.'))
  expect(withKey.map(([job, { environment }]) => [job, environment])).toEqual([['publish', 'catalog']])
  expect(jobs.build.permissions).toEqual({ contents: 'read' })
})

test('its actions are pinned by their commits, as those of releases are', () => {
  const release = readFileSync(`${root}.github/workflows/release.yml`, 'utf8')
  const used = allJobs.flatMap(([, { steps }]) => steps.flatMap(({ uses }) => uses ?? []))
  for (const action of used) {
    expect(action).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/)
    expect(release).toContain(action)
  }
})

test('none of its scripts reads an expression as code, or has the key in its arguments', () => {
  for (const [, { steps }] of allJobs) for (const { run = '' } of steps) expect(run).not.toContain('${{')
  const [signing] = (jobs.publish as Job).steps.filter(({ env }) => env?.CATALOG_KEY !== undefined)
  expect(signing!.run).toMatch(/^printf '%s\\n' "\$CATALOG_KEY" \| /)
})

test('it runs scripts that exist, and checks the facts before it proposes or publishes them', () => {
  const all = [...runs('build'), ...runs('publish')].join('\n')
  const called = [...all.matchAll(/npm run --silent ([\w:]+)/g)].map(([, script]) => script!)
  expect(called).toEqual(['catalog', 'catalog', 'catalog', 'catalog:bundle'])
  for (const script of called) expect(scripts).toHaveProperty([script])
  for (const job of ['build', 'publish']) expect(runs(job)).toContain('npm run --silent catalog -- --check')
})

test('the form of the bundle is in its names, so that each relt pulls one that it reads', () => {
  const publishing = runs('publish').at(-1)!
  expect(publishing).toContain(`/catalog:${bundleForm}"`)
  expect(publishing).toContain(`gh release upload catalog catalog-${bundleForm}.relt `)
})

test('the step that signs writes a signed bundle, and no key', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'relt-bundle-')), 'catalog-1.relt')
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const [command, ...argv] = scripts['catalog:bundle'].split(' && ').at(-1)!.split(' ') as [string, ...string[]]
  expect(command).toBe('node')
  const said = execFileSync(process.execPath, [...argv, file], {
    cwd: root,
    input: pem,
    env: minimalEnv,
    encoding: 'utf8',
  })
  expect(said).toMatch(/^Signed by ed25519:[\w-]{43}\n$/)
  const text = gunzipSync(readFileSync(file)).toString('utf8')
  expect(JSON.parse(text.split('\n')[0]!)).toMatchObject({
    format: 'relt-catalog',
    signature: { value: expect.any(String) },
  })
  expect(text).not.toContain(pem.split('\n')[1])
})

test('a pull request has what the build said, and none is made where nothing changed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relt-propose-'))
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  mkdirSync(join(folder, 'src'))
  const called = join(folder, 'called')
  for (const program of ['gh', 'git']) {
    const isQuiet = program === 'git' ? 'if [ "$1 $2" = "diff --quiet" ]; then exit "$CHANGED"; fi; ' : ''
    writeFileSync(join(bin, program), `#!/bin/sh\n${isQuiet}echo "${program} $*" >> ${called}\n`, { mode: 0o755 })
  }
  writeFileSync(join(folder, 'changes.md'), 'argo-cd: 3 new releases\n')
  const propose = (changed: string) =>
    execFileSync('bash', ['-e', '-c', runs('propose')[0]!], {
      cwd: folder,
      env: { ...minimalEnv, PATH: `${bin}:/usr/bin:/bin`, CHANGED: changed },
      stdio: 'pipe',
    })
  writeFileSync(called, '')
  propose('0')
  expect(readFileSync(called, 'utf8')).toBe('')
  propose('1')
  expect(readFileSync(join(folder, 'body.md'), 'utf8')).toBe('argo-cd: 3 new releases\n')
  const lines = readFileSync(called, 'utf8').trim().split('\n')
  expect(lines.slice(-2)).toEqual([
    'git push --force origin catalog',
    expect.stringMatching(/^gh pr create --base main --head catalog .*--body-file body\.md$/),
  ])
})
