import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Sealed } from '../../../../src/util/seal.ts'
import { dump, openService } from '../../../operations/service.ts'

const input = {
  name: 'Prod',
  cluster_name: 'prod-eu',
  provider: 'aks' as const,
  notes: 'ask first',
  settings: {
    aks: { subscriptionId: '0000', resourceGroup: 'rg-secret', clusterName: 'prod-eu' },
    excluded_checks: ['SEC014'],
    future: { kept: true },
  },
}

async function openConfigs() {
  const service = await openService()
  const created = await service.call('createConfig', { body: input })
  return { ...service, created, params: { config_id: created.config_id } }
}

describe('a scan profile', () => {
  test('comes back as it was given, unknown settings included', async () => {
    const { call, created, params } = await openConfigs()
    const { success: _, ...config } = created
    expect(config).toMatchObject(input)
    expect(await call('getConfig', { params })).toEqual(config)
    const page = { success: true, page: 1, per_page: 20, total: 1, total_pages: 1 }
    expect(await call('listConfigs', { query: { include: 'settings' } })).toEqual({ ...page, items: [config] })
    const { notes: _notes, settings: _settings, ...listed } = config
    expect(await call('listConfigs')).toEqual({ ...page, items: [listed] })
  })

  test('keeps what an update does not name', async () => {
    const { call, params, clock } = await openConfigs()
    clock.now += 60
    const updated = await call('updateConfig', { params, body: { notes: '', settings: { excluded_checks: [] } } })
    expect(updated).toMatchObject({ name: 'Prod', provider: 'aks', notes: '', settings: { excluded_checks: [] } })
    expect(updated.updated_at > updated.created_at).toBe(true)
  })

  test('is refused when the scanner could not run it, new or changed', async () => {
    const { call, params } = await openConfigs()
    const settings = { gke: { projectId: 'shop', location: 'europe-west1' } }
    const refusal = { code: 'invalid_param', params: { 'settings.gke.clusterName': expect.any(String) } }
    await expect(call('createConfig', { body: { ...input, provider: 'gke', settings } })).rejects.toMatchObject(refusal)
    await expect(call('updateConfig', { params, body: { provider: 'gke', settings } })).rejects.toMatchObject(refusal)
    await call('updateConfig', { params, body: { settings } })
    const conflict = { ...refusal, code: 'conflict' }
    await expect(call('updateConfig', { params, body: { provider: 'gke' } })).rejects.toMatchObject(conflict)
    expect((await call('getConfig', { params })).provider).toBe('aks')
  })

  test('is nowhere readable in the store but for its cluster', async () => {
    const { db } = await openConfigs()
    const text = JSON.stringify(await dump(db))
    expect(text).toContain('prod-eu')
    for (const secret of ['rg-secret', 'ask first', Buffer.from('rg-secret').toString('hex')]) {
      expect(text).not.toContain(secret)
    }
  })

  test('is listed in pages without being opened', async () => {
    const { call, db } = await openConfigs()
    for (let i = 0; i < 4; i++) await call('createConfig', { body: { ...input, name: `Profile ${i}` } })
    await db
      .updateTable('cluster_config')
      .set({ sealed: Buffer.from('broken') as Uint8Array as Sealed })
      .execute()
    const names = async (page: number) =>
      (await call('listConfigs', { query: { page, per_page: 2 } })).items.map(({ name }) => name)
    expect([await names(1), await names(2), await names(3), await names(4)]).toEqual([
      ['Prod', 'Profile 0'],
      ['Profile 1', 'Profile 2'],
      ['Profile 3'],
      [],
    ])
    expect(await call('listConfigs', { query: { per_page: 2 } })).toMatchObject({ total: 5, total_pages: 3 })
  })

  test('counts toward the limit of the plan, and so do its settings', async () => {
    const { call, params, plans } = await openConfigs()
    plans.pro_plus.profiles = 2
    plans.pro_plus.settingsKb = 1
    await call('createConfig', { body: input })
    const beyond = { code: 'forbidden', message: 'The limit of the plan Pro Plus is 2 profiles.' }
    await expect(call('createConfig', { body: input })).rejects.toMatchObject(beyond)
    const large = { code: 'forbidden', message: 'The limit of the plan Pro Plus is 1 kB of settings a profile.' }
    const settings = { excluded_namespaces: ['x'.repeat(500), 'y'.repeat(500)], future: 'z' }
    await expect(call('updateConfig', { params, body: { settings } })).rejects.toMatchObject(large)
    plans.pro_plus.profiles = 3
    await expect(call('createConfig', { body: { ...input, settings } })).rejects.toMatchObject(large)
    expect((await call('listConfigs')).total).toBe(2)
  })

  test('belongs to its owner alone', async () => {
    const { call, params, addUser } = await openConfigs()
    const user = await addUser('ada')
    expect((await call('listConfigs', { user })).total).toBe(0)
    for (const name of ['getConfig', 'updateConfig', 'deleteConfig', 'getConfigCommand', 'getConfigFile'] as const) {
      await expect(call(name, { params, user, body: {} })).rejects.toMatchObject({ code: 'not_found' })
    }
    expect((await call('getConfig', { params })).name).toBe('Prod')
  })

  test('goes when it is deleted', async () => {
    const { call, params } = await openConfigs()
    await call('deleteConfig', { params })
    await expect(call('getConfig', { params })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('gives a command, and a file whose body is the configuration itself', async () => {
    const { call, params } = await openConfigs()
    expect(await call('getConfigCommand', { params })).toMatchObject({
      powershell_command:
        "Invoke-KubeBuddy -jsonReport -ExcludedChecks 'SEC014' " +
        "-Aks -SubscriptionId '0000' -ResourceGroup 'rg-secret' -ClusterName 'prod-eu'",
      yaml_filename: 'kubebuddy-prod.yaml',
    })
    const file = await call('getConfigFile', { params })
    expect(file).toMatchObject({ content_type: 'application/yaml', excluded_checks: ['SEC014'] })
    expect(parse(JSON.stringify(file)).excluded_checks).toEqual(['SEC014'])
    expect(parse(file.content)).toEqual({ excluded_checks: ['SEC014'] })
  })

  test('is made once from the reports of a cluster', async () => {
    const { call, upload } = await openService()
    await upload([{}], { cluster: 'blue', body: { environment: 'staging', cluster: { provider: 'EKS' } } })
    await upload([{}], { cluster: 'red' })
    const { candidates } = await call('listBootstrapCandidates')
    expect(candidates).toMatchObject([
      { cluster_name: 'blue', environment: 'staging', provider: 'eks', suggested_name: 'blue (staging)' },
      { cluster_name: 'red', environment: 'prod', provider: 'kubernetes', already_configured: false },
    ])
    const first = await call('bootstrapConfigs', { body: { cluster_names: ['blue', 'green'] } })
    expect(first.created).toMatchObject([{ cluster_name: 'blue', provider: 'eks' }])
    expect(first.skipped).toEqual([{ cluster_name: 'green', reason: 'has no reports' }])
    const second = await call('bootstrapConfigs', { body: {} })
    expect(second.created.map((config) => config.cluster_name)).toEqual(['red'])
    expect(second.skipped).toEqual([{ cluster_name: 'blue', reason: 'has a profile already' }])
  })

  test('takes from a report what the scan left out and where its cluster is, and nothing that no profile may say', async () => {
    const { call, upload } = await openService()
    const aks = { subscriptionId: '0000', resourceGroup: 'rg', clusterName: 'blue' }
    const long = 'a'.repeat(501)
    const metadata = { excludedNamespaces: ['kube-system'], aks, excludedChecks: ['SEC014', 7] }
    const checks = { SEC001: { ID: 'SEC001', Name: 'n', Category: 'c', Severity: 'Info', Total: 0, Items: [] } }
    await upload([], { report: { checks, metadata: { ...metadata, clusterName: 'blue' } } })
    await upload([], {
      report: {
        metadata: { excludedNamespaces: [long], aks: { ...aks, resourceGroup: long }, excludedChecks: ['A,B'] },
        checks,
      },
      body: { cluster: { name: 'odd' }, environment: 'test' },
    })
    await upload([], {
      report: { checks, metadata: { aks: { clusterName: 'red' } } },
      body: { cluster: { name: 'red' } },
    })
    const { created } = await call('bootstrapConfigs', { body: {} })
    expect(created).toMatchObject([
      {
        name: 'blue',
        provider: 'aks',
        settings: { aks, excluded_namespaces: ['kube-system'], excluded_checks: ['SEC014'] },
      },
      { name: 'odd (test)' },
      { name: 'red', provider: 'kubernetes' },
    ])
    expect(Object.keys(created[1]!.settings)).toEqual(['output', 'radar'])
    for (const { config_id } of created) await call('getConfigCommand', { params: { config_id } })
  })
})
