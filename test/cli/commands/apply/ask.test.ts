import { Readable, Writable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { runCommand } from '../../../../src/cli/program/root.ts'
import type { Client } from '../../../../src/client/client.ts'
import { createLocalClient } from '../../../../src/client/local.ts'
import { temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'

const confirm = vi.hoisted(() => vi.fn<(config: { message: string }) => Promise<boolean>>())
vi.mock('@inquirer/prompts', () => ({ confirm }))

/** Prunes a subscription and a label with a person at both ends, who does this when asked. */
async function prune(answer: (client: Client) => Promise<boolean>) {
  const env = { RELT_HOME: temporaryFolder(), RELT_KEYCHAIN: 'off', NO_COLOR: '1' }
  await makeSmallCatalog(env.RELT_HOME)
  const client = await createLocalClient({ env, now: () => testNow })
  for (const product_id of [1, 2]) await client.call('toggleSubscription', { body: { product_id } })
  await client.call('createLabel', { body: { label_name: 'old', label_color: '#111111' } })
  confirm.mockReset().mockImplementation(() => answer(client))

  const texts = { stdout: '', stderr: '' }
  const terminal = (name: keyof typeof texts) => {
    const write = (chunk: unknown, _encoding: string, done: () => void) => {
      texts[name] += chunk
      done()
    }
    return Object.assign(new Writable({ write }), { isTTY: true, columns: 80 })
  }
  const code = await runCommand(
    {
      env,
      stdin: Object.assign(Readable.from(['labels: []\nsubscriptions: [{project: Argo CD}]']), { isTTY: true }),
      stdout: terminal('stdout'),
      stderr: terminal('stderr'),
      now: () => testNow,
      settings: async () => ({}),
      select: () => {},
      credentials: async () => undefined,
      client: async () => client,
      localClient: async () => client,
      admin: () => Promise.reject(new Error('not used')),
      server: async () => undefined,
      toClient: () => Promise.reject(new Error('not used')),
      serve: async () => {},
    },
    ['apply', '-f', '-', '--prune'],
  )
  const { subscribed_ids: left } = await client.call('getMySubscriptions', {})
  await client.close()
  return { code, ...texts, left }
}

const listed = '- subscription Argo Workflows\n- label old\n'

test('a person sees what would go, and is asked', async () => {
  expect(await prune(async () => true)).toEqual({
    code: 0,
    stdout: listed,
    stderr: `${listed}✓ 2 done\n`,
    left: [1],
  })
  expect(confirm).toHaveBeenCalledOnce()
  expect(confirm.mock.calls[0]![0].message).toBe('Permanently remove these 2?')
})

test('who says no keeps all', async () => {
  const { code, stdout, left } = await prune(async () => false)
  expect({ code, stdout, left }).toEqual({ code: 130, stdout: '', left: [1, 2] })
})

test('what changed while the question stood is not overrun', async () => {
  const { code, stdout, stderr, left } = await prune(async (client) => {
    await client.call('toggleSubscription', { body: { product_id: 3 } })
    return true
  })
  expect({ code, stdout, left }).toEqual({ code: 7, stdout: '', left: [1, 2, 3] })
  expect(stderr).toContain('The account has changed since the plan was shown.')
})
