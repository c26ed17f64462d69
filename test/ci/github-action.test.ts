import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../helpers/cli.ts'
import { minimalEnv, reltScript } from '../helpers/process.ts'
import { smallReports } from '../helpers/small-store.ts'

interface Step {
  id?: string
  if?: string
  uses?: string
  run?: string
  env?: Record<string, string>
  with?: Record<string, string>
}

const file = fileURLToPath(new URL('../../action.yml', import.meta.url))
const action = parse(readFileSync(file, 'utf8')) as {
  inputs: Record<string, { default?: string }>
  outputs: Record<string, { value: string }>
  runs: { steps: Step[] }
}

interface Runner {
  /** Reports by name, in the workspace. */
  reports?: Record<string, unknown>
  /** Folder of the cache; without it nothing is found or saved. */
  cache?: string
  branch?: string
  /** Lines of the policy under `gate`. */
  policy?: string
  env?: Record<string, string>
}

let runs = 0

/** Runs the composite steps on a fresh runner with a `relt` on PATH: those that install it are skipped. */
function runAction(given: Record<string, string>, runner: Runner = {}) {
  const { reports = {}, cache, branch = 'main', policy, env = {} } = runner
  const folder = temporaryFolder()
  if (policy !== undefined) writeFileSync(join(folder, 'relt.yaml'), `gate:\n  ${policy}\n`)
  for (const [name, report] of Object.entries(reports)) writeFileSync(join(folder, name), JSON.stringify(report))
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'relt'), reltScript, { mode: 0o755 })
  const values: Record<string, string> = {
    ...{ 'github.ref_name': branch, 'github.run_id': `${++runs}`, 'github.run_attempt': '1' },
    ...{ 'github.event.repository.default_branch': 'main', 'github.job': 'gate', 'github.workflow': 'Build, test' },
  }
  for (const [name, { default: value = '' }] of Object.entries(action.inputs)) values[`inputs.${name}`] = value
  for (const [name, value] of Object.entries(given)) values[`inputs.${name}`] = value
  const fill = (text: string) => text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => values[name] ?? '')
  let code = 0
  let stderr = ''
  for (const step of action.runs.steps) {
    const { if: condition = '' } = step
    const needed = [...condition.matchAll(/([\w.-]+) != ''/g)].map(([, name]) => values[name!] ?? '')
    if (needed.includes('') || (code !== 0 && !condition.includes('always()'))) continue
    if (step.uses) {
      useCache(step, { folder, cache, fill })
      continue
    }
    const [script, output] = [join(folder, 'step.sh'), join(folder, 'output')]
    writeFileSync(script, step.run!)
    writeFileSync(output, '')
    const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, fill(value)])
    try {
      execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
        cwd: folder,
        stdio: 'pipe',
        env: {
          ...minimalEnv,
          ...{ PATH: `${bin}:${process.env.PATH}`, HOME: folder, RELT_KEYCHAIN: 'off', GITHUB_ACTIONS: 'true' },
          ...{ RELT_MASTER_KEY: '0123456789abcdef'.repeat(4), GITHUB_OUTPUT: output },
          GITHUB_STEP_SUMMARY: join(folder, 'step-summary.md'),
          ...env,
          ...Object.fromEntries(own),
        },
      })
    } catch (error) {
      code = (error as { status: number }).status
      stderr = String((error as { stderr: Buffer }).stderr)
    }
    for (const line of readFileSync(output, 'utf8').split('\n').filter(Boolean)) {
      const [name, value = ''] = line.split('=', 2)
      values[`steps.${step.id}.outputs.${name}`] = value
    }
  }
  const outputs = Object.fromEntries(
    Object.entries(action.outputs).flatMap(([name, { value }]) => (fill(value) === '' ? [] : [[name, fill(value)]])),
  )
  return { folder, code, outputs, stderr }
}

type Machine = { folder: string; cache: string | undefined; fill: (text: string) => string }

/** `actions/cache/restore` finds the newest key with the beginning of one of `restore-keys`; `save` writes a new one. */
function useCache({ uses = '', with: given = {} }: Step, { folder, cache, fill }: Machine) {
  if (cache === undefined) return
  const [path, key] = [join(folder, fill(given.path!)), fill(given.key!)]
  expect(key).not.toContain(',')
  if (uses.startsWith('actions/cache/save@')) return cpSync(path, join(cache, key), { recursive: true })
  expect(uses).toMatch(/^actions\/cache\/restore@[0-9a-f]{40}$/)
  const runOf = (saved: string) => Number(/:(\d+)-1$/.exec(saved)![1])
  const saved = readdirSync(cache).sort((a, b) => runOf(b) - runOf(a))
  for (const prefix of fill(given['restore-keys']!).split('\n').filter(Boolean)) {
    const found = saved.find((each) => each.startsWith(prefix))
    if (found) return cpSync(join(cache, found), path, { recursive: true })
  }
}

const [, first, second] = smallReports
const reports = { 'a.json': first, 'b.json': second }
const rules = { 'fail-on': 'new>=critical\nscore<10' }
/** The day of the first report. */
const policy = 'begin: 2026-08-24'

test('on fresh runners with a cache, a critical finding fails in each run, after the policy began a baseline', () => {
  const cache = temporaryFolder()
  const undecided = runAction({ report: 'a.json', ...rules, summary: 'summary.md' }, { reports, cache })
  expect(undecided).toMatchObject({ code: 6, outputs: { verdict: 'undecided', score: '72.5' } })
  expect(readFileSync(join(undecided.folder, 'summary.md'), 'utf8')).toContain('<code>begin&#58; 2026-08-24</code>')
  expect(readdirSync(cache)).toHaveLength(1)
  expect(runAction({ report: 'b.json', ...rules }, { reports, cache }).code).toBe(6)

  const begun = runAction({ report: 'a.json', ...rules }, { reports, cache, policy })
  expect(begun).toMatchObject({ code: 0, outputs: { verdict: 'passed', new: '0' } })
  const given = { report: 'b.json', ...rules, junit: 'rules.xml', summary: 'summary.md' }
  for (const _ of [1, 2]) {
    const failed = runAction(given, { reports, cache, policy })
    expect(failed).toMatchObject({ code: 5, outputs: { verdict: 'failed', score: '80', new: '2' } })
    expect(Object.keys(failed.outputs).sort()).toEqual(Object.keys(action.outputs).sort())
    for (const name of ['rules.xml', 'summary.md', 'relt.sarif'])
      expect(existsSync(join(failed.folder, name))).toBe(true)
  }
  expect(readdirSync(cache)).toHaveLength(5)
})

test('a branch begins with the store of the default branch, and saves its own', () => {
  const cache = temporaryFolder()
  expect(runAction({ report: 'a.json', ...rules }, { reports, cache, policy }).code).toBe(0)
  expect(runAction({ report: 'b.json', ...rules }, { reports, cache, policy, branch: 'a,b' }).code).toBe(5)
  // The default branch has not seen it.
  expect(runAction({ report: 'b.json', ...rules }, { reports, cache, policy }).code).toBe(5)
})

test('after the cache is gone, a run is undecided, and says that the line is spent', () => {
  expect(runAction({ report: 'a.json', ...rules }, { reports, policy }).code).toBe(0)
  const given = { report: 'b.json', ...rules, summary: 'summary.md' }
  const { code, folder } = runAction(given, { reports, policy })
  expect(code).toBe(6)
  expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toMatch(
    /^## Gate ⚠️ undecided\n[\s\S]*begin&#58; 2026-08-24 is spent/,
  )
  expect(runAction({ report: 'b.json', 'fail-on': 'score<10' }, { reports, policy }).code).toBe(0)
})

test('a store that the workflow keeps is not cached', () => {
  const [cache, home] = [temporaryFolder(), temporaryFolder()]
  const runner = { reports, cache, policy, env: { RELT_HOME: home } }
  expect(runAction({ report: 'a.json', ...rules }, runner).code).toBe(0)
  expect(runAction({ report: 'b.json', ...rules }, runner).code).toBe(5)
  expect(readdirSync(cache)).toEqual([])
})

test('a report that is not there fails without outputs, and saves no store', () => {
  const cache = temporaryFolder()
  expect(runAction({ report: 'none.json', ...rules }, { cache })).toMatchObject({ code: 2, outputs: {} })
  expect(readdirSync(cache)).toEqual([])
})
