import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { findProfile } from '../../src/submit/find-profile.ts'
import { openService, type TestService } from '../operations/service.ts'

describe('a stored scan profile', () => {
  const names = ['Prod', 'dev', 'DEV']
  const ids: string[] = []
  let client: Client

  beforeAll(async () => {
    const service = await openService(':memory:', () => {})
    client = {
      call: (name: string, request: object) =>
        service.call(...([name, request] as unknown as Parameters<TestService['call']>)),
    } as unknown as Client
    for (const name of names) {
      const body = { name, cluster_name: 'shop', provider: 'aks', settings: { output: { yes: true } } } as const
      ids.push((await client.call('createConfig', { body })).config_id!)
    }
  })

  test('is found by its name in any case, with its settings', async () => {
    expect(await findProfile(client, 'prod')).toEqual({
      config_id: ids[0],
      name: 'Prod',
      cluster_name: 'shop',
      provider: 'aks',
      settings: expect.objectContaining({ output: { yes: true } }),
    })
  })

  test('is found by its id', async () => {
    expect(await findProfile(client, ids[2]!)).toMatchObject({ name: 'DEV' })
  })

  test('is not guessed', async () => {
    await expect(findProfile(client, 'staging')).rejects.toMatchObject({ code: 'not_found' })
    await expect(findProfile(client, 'dev')).rejects.toMatchObject({ code: 'usage' })
  })
})
