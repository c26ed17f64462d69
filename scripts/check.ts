/** Lint, types, build and tests. Linting and types are checked beside the build and the preparation of the tests. */
import { execa } from 'execa'

const quiet = ['lint', 'types'].map(async (script) => {
  const { exitCode, all } = await execa({ all: true, reject: false })('npm', ['run', '--silent', script])
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
