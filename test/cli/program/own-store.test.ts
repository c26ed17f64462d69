import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openServerWithUser } from '../../client/open.ts'
import { runCli, temporaryFolder } from '../../helpers/cli.ts'

const url = 'https://radar.example/api/relt/v1'
const lines = [
  'catalog sync',
  'catalog status',
  'catalog add X --repo https://github.com/x/x',
  'catalog edit argo-cd --name Y',
  'catalog remove argo-cd --yes',
  'catalog export /no/such/catalog.relt',
  'catalog import /no/such/catalog.relt',
  'admin users add ada',
  'admin users list',
  'admin users show ada',
  'admin users set-plan ada pro',
  'admin users set-role ada admin',
  'admin users set-password ada --secret-file -',
  'admin users remove ada --yes',
  'teams create platform --owner ada',
  'teams rename platform infra',
  'teams set-email platform a@shop.example',
  'teams delete platform --yes',
  'keys create ci --as ada',
  'keys list --as ada',
  'keys revoke ci --as ada',
  'keys rotate ci --as ada',
  'admin audit',
  'admin retention run',
  'admin backup /no/such/relt.db',
  'admin restore /no/such/relt.db',
  'admin verify',
  'admin master-key status',
  'admin master-key rotate',
  'admin master-key reencrypt',
  'admin master-key recovery-kit --stdout',
]

describe.each(lines)('relt %s', (line) => {
  test.each([
    ['--server', { argv: ['--server', url] }],
    ['RELT_SERVER', { env: { RELT_SERVER: url } }],
  ])(
    'does nothing when a server is chosen by %s',
    async (_, { argv = [], env = {} }: { argv?: string[]; env?: Record<string, string> }) => {
      const home = temporaryFolder()
      const result = await runCli([...line.split(' '), ...argv], { home, env, stdin: 'secret-secret-secret\n' })
      expect(result).toEqual({
        code: 2,
        stdout: '',
        stderr:
          `error: This command uses the store on this machine, but the server ${url} is selected.\n` +
          'hint: Add --local, or --data FOLDER for another store.\n',
      })
      expect(readdirSync(home)).toEqual([])
    },
  )
})

test('a server that one is signed in to is chosen, too', async () => {
  const { server, password } = await openServerWithUser()
  const home = temporaryFolder()
  const env = { RELT_KEYCHAIN: 'off' }
  const login = ['auth', 'login', server.url, '--username', 'ada', '--secret-file', '-', '--name', 'prod']
  expect(await runCli(login, { home, env, stdin: `${password}\n` })).toMatchObject({ code: 0 })
  expect(await runCli(['admin', 'users', 'list'], { home, env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the server prod is selected'),
  })
  expect(existsSync(join(home, 'relt.db'))).toBe(false)
  expect(await runCli(['admin', 'users', 'list', '--local'], { home, env })).toMatchObject({ code: 0 })
})

test('--local and --data work on a store of this machine, whatever server is chosen', async () => {
  const env = { RELT_SERVER: url }
  const home = temporaryFolder()
  const other = temporaryFolder()
  expect(await runCli(['admin', '--data', other, 'users', 'add', 'ada'], { home, env })).toMatchObject({ code: 0 })
  expect(readdirSync(home)).toEqual([])
  expect(await runCli(['admin', 'users', 'show', 'ada', '--data', other], { home })).toMatchObject({ code: 0 })
  expect(await runCli(['catalog', 'status', 'argo-cd', '--local'], { home, env })).toMatchObject({ code: 0 })
  expect(await runCli(['admin', 'users', 'list', '--data', other, '--server', url], { home })).toMatchObject({
    code: 2,
    stderr: 'error: --data and --server cannot be combined.\n',
  })
})
