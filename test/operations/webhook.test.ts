import { expect, test } from 'vitest'
import { openWebhooks, sealWebhooks } from '../../src/operations/webhook.ts'
import { openService } from './service.ts'

const slack = 'https://hooks.slack.example/services/T0/B0/xyz'

async function openVault() {
  const { vault } = await openService()
  return async () => vault
}

test('webhooks are sealed and opened, each time anew, and nothing else is touched', async () => {
  const vault = await openVault()
  const settings = { slack_webhook: slack, teams_webhook: null, generic_webhook: '', email_frequency: 'daily' }
  const sealed = await sealWebhooks(vault, 1, settings)
  expect(sealed).toEqual({
    ...settings,
    slack_webhook: expect.stringMatching(/^sealed:[0-9a-f]{16}:[A-Za-z0-9+/]+=*$/),
  })
  expect(await sealWebhooks(vault, 1, settings)).not.toEqual(sealed)
  expect(await openWebhooks(vault, 1, sealed)).toEqual(settings)
})

test('the older name of a webhook opens, too', async () => {
  const vault = await openVault()
  const { generic_webhook } = await sealWebhooks(vault, 1, { generic_webhook: slack })
  const opened = await openWebhooks(vault, 1, { generic_webhook, webhook_url: generic_webhook })
  expect(opened).toEqual({ generic_webhook: slack, webhook_url: slack })
})

test('a webhook does not open for another user, nor with another key, nor when it was changed', async () => {
  const vault = await openVault()
  const sealed = await sealWebhooks(vault, 1, { slack_webhook: slack })
  await expect(openWebhooks(vault, 2, sealed)).rejects.toThrow('does not open')
  await expect(openWebhooks(await openVault(), 1, sealed)).rejects.toThrow('a key that this store does not have')
  const changed = { slack_webhook: `${sealed.slack_webhook.slice(0, -8)}AAAAAAA=` }
  await expect(openWebhooks(vault, 1, changed)).rejects.toThrow('does not open')
})

test('a webhook that was stored without a seal is given as it is', async () => {
  expect(await openWebhooks(await openVault(), 1, { slack_webhook: slack })).toEqual({ slack_webhook: slack })
})

test('without a webhook the key is not asked for', async () => {
  const vault = () => Promise.reject(new Error('asked'))
  const settings = { slack_webhook: null, teams_webhook: '', generic_webhook: undefined }
  expect(await sealWebhooks(vault, 1, settings)).toEqual(settings)
  expect(await openWebhooks(vault, 1, settings)).toEqual(settings)
})
