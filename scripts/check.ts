/** Lint, types, unused code, build and tests. The first three are checked beside the build and the preparation of the tests. */
import { execa } from 'execa'

// The tests use all cores meanwhile: these save work rather than time.
const env = { GOGC: '400' }
const scripts = { lint: [], types: ['--', '--checkers', '1'], unused: [] }
const quiet = Object.entries(scripts).map(async ([script, args]) => {
  const { exitCode, all } = await execa({ all: true, reject: false, env })('npm', ['run', '--silent', script, ...args])
  console.log(`${script}: ${exitCode === 0 ? 'passed' : 'failed'}\n${all}`)
  return exitCode === 0
})
const shown = async (...args: string[]) => {
  const { exitCode } = await execa({ stdio: 'inherit', reject: false })('npm', args)
  return exitCode === 0
}
const tests = (await shown('run', '--silent', 'build')) && (await shown('test'))
const results = [tests, ...(await Promise.all(quiet))]
if (results.includes(false)) {
  console.error('The check failed: see above.')
  process.exitCode = 1
}
