import { userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataFolder } from '../../src/config/env.ts'
import { hasAccount } from '../helpers/machine.ts'

test.each([
  [{ RELT_HOME: '/srv/relt', HOME: '/home/ada', XDG_DATA_HOME: '/data' }, 'linux', '/srv/relt'],
  [{ HOME: '/home/ada' }, 'linux', '/home/ada/.local/share/relt'],
  [{ HOME: '/home/ada', XDG_DATA_HOME: '/data' }, 'linux', '/data/relt'],
  [{ HOME: '/home/ada', XDG_DATA_HOME: '', RELT_HOME: '' }, 'linux', '/home/ada/.local/share/relt'],
  [{ HOME: '/Users/ada', XDG_DATA_HOME: '/data' }, 'darwin', '/Users/ada/Library/Application Support/relt'],
  [{ HOME: '/home/ada', LOCALAPPDATA: '/local' }, 'win32', '/local/relt'],
  [{ HOME: '/home/ada' }, 'win32', '/home/ada/AppData/Local/relt'],
] as const)('the data folder of %j on %s is %s', (env, platform, folder) => {
  expect(dataFolder(env, platform)).toBe(folder)
})

test.skipIf(!hasAccount()).each([{}, { HOME: '' }])(
  'the data folder of %j is in the home that the system knows',
  (env) => {
    expect(dataFolder(env, 'linux')).toBe(join(userInfo().homedir, '.local/share/relt'))
  },
)
