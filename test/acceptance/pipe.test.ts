import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { folderOfFile } from '../helpers/output.ts'
import { minimalEnv, reltFile, start } from '../helpers/process.ts'

const home = folderOfFile()

/** A line of bash; `pipefail` would tell of a relt that fails. */
async function bash(line: string) {
  const env = { ...minimalEnv, RELT_HOME: home, NODE: process.execPath, RELT: reltFile }
  const script = `relt() { "$NODE" "$RELT" "$@"; }; ${line}; echo "codes: \${PIPESTATUS[@]}"`
  return promisify(execFile)('bash', ['--norc', '-c', script], { env })
}

test.each([
  'relt projects list --limit 100 --quiet | head -1',
  'relt projects list --limit 100 --json | head -c 20',
  'relt projects list --limit 100 2>&1 | head -1',
  'relt projects list --limit 100 --quiet | true',
  'relt --version | true',
])('%s ends quietly', async (line) => {
  const { stdout, stderr } = await bash(line)
  expect(stderr).toBe('')
  expect(stdout).toMatch(/codes: 0 0\n$/)
})

test('a failure whose message nobody reads keeps its exit code', async () => {
  const { child, finished } = start(reltFile, ['reports', 'show', 'crun_a'], { RELT_HOME: home })
  child.stderr?.destroy()
  expect((await finished).code).toBe(3)
})

test('a process substitution is a file', async () => {
  const report = JSON.stringify({ metadata: { clusterName: 'substituted', score: 50 }, checks: { A: { Total: 0 } } })
  const { stdout } = await bash(`relt reports upload <(echo '${report}' | gzip)`)
  expect(stdout).toMatch(/^crun_\w+\n {2}Cluster {4}substituted \(prod\)\n/)
})

test('standard input comes through a pipe', async () => {
  const report = JSON.stringify({ metadata: { clusterName: 'piped', score: 50 }, checks: { A: { Total: 0 } } })
  const { stdout } = await bash(`echo '${report}' | gzip | relt reports upload -`)
  expect(stdout).toMatch(/^crun_\w+\n {2}Cluster {4}piped \(prod\)\n/)
})
