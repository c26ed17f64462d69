import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../helpers/cli.ts'
import { minimalEnv, reltFile } from '../helpers/process.ts'
import { smallReports } from '../helpers/small-store.ts'

interface Step {
  name: string
  run: string
  if?: string
  env: Record<string, string>
}

const file = fileURLToPath(new URL('../../action.yml', import.meta.url))
const action = parse(readFileSync(file, 'utf8')) as {
  inputs: Record<string, { default?: string }>
  outputs: Record<string, { value: string }>
  runs: { steps: Step[] }
}

/** Runs the composite steps in bash, as a runner does with a `relt` on PATH: those that install it are skipped. */
function runAction(folder: string, given: Record<string, string>) {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'relt'), `#!/bin/sh\nexec '${process.execPath}' '${reltFile}' "$@"\n`, { mode: 0o755 })
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: value = '' }]) => [name, value]),
  )
  Object.assign(inputs, given)
  const fill = (text: string) => text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => inputs[name] ?? '')
  const output = join(folder, 'output')
  writeFileSync(output, '')
  let code = 0
  for (const step of action.runs.steps) {
    const wanted = [...(step.if ?? '').matchAll(/inputs\.(\w+) != ''/g)].map(([, name]) => inputs[name!])
    if (code !== 0 || (wanted.length > 0 && wanted.every((input) => input === ''))) continue
    const script = join(folder, 'step.sh')
    writeFileSync(script, step.run)
    const env = Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, fill(value)]))
    try {
      execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
        cwd: folder,
        stdio: 'pipe',
        env: {
          ...minimalEnv,
          PATH: `${bin}:${process.env.PATH}`,
          HOME: folder,
          RELT_HOME: join(folder, 'home'),
          RELT_KEYCHAIN: 'off',
          RELT_MASTER_KEY: '0123456789abcdef'.repeat(4),
          GITHUB_OUTPUT: output,
          ...env,
        },
      })
    } catch (error) {
      code = (error as { status: number }).status
    }
  }
  const outputs = Object.fromEntries(
    readFileSync(output, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('=', 2) as [string, string]),
  )
  return { code, outputs }
}

test('the first run is undecided, then allowed, and a later one fails with its figures as outputs', () => {
  const folder = temporaryFolder()
  const [, first, second] = smallReports
  writeFileSync(join(folder, 'a.json'), JSON.stringify(first))
  writeFileSync(join(folder, 'b.json'), JSON.stringify(second))

  const undecided = runAction(folder, { report: 'a.json', 'fail-on': 'new>=low\nscore<10' })
  expect(undecided).toMatchObject({ code: 6, outputs: { verdict: 'undecided', new: '', score: '72.5' } })
  const passed = runAction(folder, { report: 'a.json', 'fail-on': 'score<10', 'first-run': 'pass' })
  expect(passed).toMatchObject({ code: 0, outputs: { verdict: 'passed', 'run-id': undecided.outputs['run-id'] } })

  const failed = runAction(folder, {
    report: 'b.json',
    'fail-on': 'new>=low',
    junit: 'rules.xml',
    summary: 'summary.md',
  })
  expect(failed).toMatchObject({
    code: 5,
    outputs: {
      verdict: 'failed',
      score: '80',
      'run-id': expect.stringMatching(/^crun_/),
      new: expect.stringMatching(/^[1-9]/),
    },
  })
  for (const name of ['rules.xml', 'summary.md', 'relt.sarif']) expect(existsSync(join(folder, name))).toBe(true)
  expect(Object.keys(action.outputs).sort()).toEqual(Object.keys(failed.outputs).sort())
})

test('a report that is not there fails without outputs', () => {
  expect(runAction(temporaryFolder(), { report: 'none.json', 'fail-on': 'score<10' })).toEqual({ code: 2, outputs: {} })
})
