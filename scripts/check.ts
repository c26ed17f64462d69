/**
 * Lint, types, unused code, size, the sources of the catalog, build and tests. What needs no tests is checked beside the build and their preparation.
 * With `--changed`, or `--changed=COMMIT`, only tests of files that changed since, and nothing about unused code or the catalog.
 */
import { execa } from 'execa'

const changed = process.argv.slice(2)
// The tests use all cores meanwhile: these save work rather than time.
const env = { GOGC: '400' }
const scripts = {
  lint: [],
  types: ['--', '--checkers', '1'],
  ...(changed.length === 0 && { unused: [], size: [], catalog: ['--', '--check'] }),
}
const quiet = Object.entries(scripts).map(async ([script, args]) => {
  const { exitCode, all } = await execa({ all: true, reject: false, env })('npm', ['run', '--silent', script, ...args])
  console.log(`${script}: ${exitCode === 0 ? 'passed' : 'failed'}\n${all}`)
  return exitCode === 0
})
const shown = async (...args: string[]) => {
  const { exitCode } = await execa({ stdio: 'inherit', reject: false })('npm', args)
  return exitCode === 0
}
const tests = (await shown('run', '--silent', 'build')) && (await shown('test', '--', ...changed))
const results = [tests, ...(await Promise.all(quiet))]
if (results.includes(false)) {
  console.error('The check failed: see above.')
  process.exitCode = 1
}
