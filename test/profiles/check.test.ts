import { describe, expect, test } from 'vitest'
import { checkProfile } from '../../src/profiles/check.ts'
import { generateCommands } from '../../src/profiles/commands.ts'
import { configurationFile } from '../../src/profiles/config-file.ts'
import type { Profile } from '../../src/profiles/profile.ts'

const bare: Profile = { name: 'x', cluster_name: 'blue', provider: 'kubernetes', settings: {} }

const invalid: [string, Partial<Profile>][] = [
  ['settings.excluded_checks.0', { settings: { excluded_checks: ['A,B'] } }],
  ['settings.excluded_checks.1', { settings: { excluded_checks: ['A', 'B\r'] } }],
  ['settings.excluded_namespaces.0', { settings: { excluded_namespaces: [' '] } }],
  [
    'settings.output.additionalExcludedNamespaces.0',
    { settings: { output: { additionalExcludedNamespaces: ['a,'] } } },
  ],
  ['settings.output.outputPath', { settings: { output: { outputPath: 'a:b' } } }],
  ['settings.aks.resourceGroup', { settings: { aks: { resourceGroup: 'a\0b' } } }],
  ['settings.gke.location', { settings: { gke: { location: '\ud800' } } }],
  ['cluster_name', { cluster_name: 'a\udc00' }],
  ['settings.thresholds.no-word', { settings: { thresholds: { 'no-word': 1 } } }],
  ['settings.thresholds.pod_sizing_profile', { settings: { thresholds: { pod_sizing_profile: 'huge' } } }],
  ['settings.radar.upload_retries', { settings: { radar: { upload_retries: 1.5 } } }],
  ['settings.radar.api_user_env', { settings: { radar: { api_user_env: 'A=B' } } }],
  ['settings.radar.api_password_env', { settings: { radar: { api_password_env: 'KUBECONFIG' } } }],
  ['settings.prometheus.bearerTokenEnv', { settings: { prometheus: { bearerTokenEnv: '$(id)' } } }],
  ['settings.prometheus.bearerTokenEnv', { settings: { prometheus: { bearerTokenEnv: 'JSON_REPORT' } } }],
  ['settings.prometheus.url', { settings: { prometheus: { url: 'https://ada:secret@prometheus' } } }],
  ['settings.radar.api_base_url', { settings: { radar: { api_base_url: ' ' } } }],
  ['settings.radar.api_base_url', { settings: { radar: { api_base_url: 'radar.example/v1' } } }],
  ['settings.radar.api_base_url', { settings: { radar: { api_base_url: ' HTTPS:\\\\ada@radar' } } }],
]

const missing: [string[], Partial<Profile>][] = [
  [
    ['settings.aks.subscriptionId', 'settings.aks.clusterName'],
    { provider: 'aks', settings: { aks: { resourceGroup: 'rg', clusterName: '' } } },
  ],
  [
    ['settings.gke.projectId', 'settings.gke.location', 'settings.gke.clusterName'],
    { provider: 'gke', settings: { gke: {} } },
  ],
  [['settings.prometheus.url'], { settings: { prometheus: { enabled: true } } }],
  [
    ['settings.prometheus.bearerTokenEnv'],
    { settings: { prometheus: { enabled: true, url: 'https://p', mode: 'bearer' } } },
  ],
  [['config_id'], { settings: { radar: { fetch_config: true } } }],
]

describe('a profile', () => {
  test.each(invalid)('is refused for its %s: %j', (path, change) => {
    const profile = { ...bare, ...change } as Profile
    const refusal = expect.objectContaining({ code: 'invalid_param', params: { [path]: expect.any(String) } })
    expect(() => checkProfile(profile)).toThrow(refusal)
    expect(() => generateCommands(profile)).toThrow(refusal)
    expect(() => configurationFile(profile)).toThrow(refusal)
  })

  test.each(missing)('needs %j', (paths, change) => {
    const params = Object.fromEntries(paths.map((path) => [path, expect.any(String)]))
    expect(() => checkProfile({ ...bare, ...change } as Profile)).toThrow(
      expect.objectContaining({ code: 'invalid_param', params }),
    )
  })

  test("needs nothing of a provider's that is not its own", () => {
    expect(() => checkProfile({ ...bare, provider: 'eks', settings: { aks: {}, gke: {}, eks: {} } })).not.toThrow()
  })

  test('may have any other member, which goes nowhere', () => {
    const settings = { future: { a: '\0' }, output: { future: 'marker' }, radar: { api_password: 'marker' } }
    const all = [generateCommands({ ...bare, settings }), configurationFile({ ...bare, settings })]
    expect(JSON.stringify(all)).not.toContain('marker')
  })
})
