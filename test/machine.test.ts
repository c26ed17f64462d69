import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { clearOthers, isChosen } from './helpers/machine.ts'

test('tests get no variable of the machine that they did not choose', () => {
  const others = [
    'RELT_SERVER',
    'CI',
    'GITHUB_ACTIONS',
    'KUBECONFIG',
    'KUBERNETES_SERVICE_HOST',
    'XDG_DATA_HOME',
    'GIT_DIR',
  ]
  const env = Object.fromEntries(['PATH', ...others].map((name) => [name, 'x']))
  clearOthers(env)
  expect(env).toEqual({ PATH: 'x' })
  // Those of vitest, and of its configuration.
  const own = /^(?:VITEST|VITE_|(?:FORCE_TTY|NODE_ENV|TEST|DEV|PROD|MODE|SSR|BASE_URL)$)/
  const set = /^(?:RELT_(?:KEYCHAIN|HOME)|NO_COLOR|FORCE_COLOR|GIT_CONFIG_(?:GLOBAL|NOSYSTEM)|NODE_COMPILE_CACHE)$/
  expect(Object.keys(process.env).filter((name) => !isChosen(name) && !own.test(name) && !set.test(name))).toEqual([])
})

test('no test hands all variables on to a process', () => {
  const files = globSync('test/**/*.ts').filter((file) => readFileSync(file, 'utf8').includes('...' + 'process.env'))
  expect(files).toEqual([])
})
