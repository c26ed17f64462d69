import { expect, test } from 'vitest'
import { configurationFile } from '../../src/profiles/config-file.ts'
import type { Profile } from '../../src/profiles/profile.ts'

const bare: Profile = { name: 'Production, EU', cluster_name: 'x', provider: 'kubernetes', settings: {} }

test('the configuration file quotes every text, and ends every registry with a slash', () => {
  const { filename, content } = configurationFile({
    ...bare,
    settings: {
      thresholds: { cpu_warning: 60, pod_sizing_profile: 'aggressive', pod_sizing_compare_profiles: false },
      excluded_namespaces: ['kube-system', 'no'],
      trusted_registries: ['mcr.microsoft.com', 'ghcr.io/shop/'],
      excluded_checks: [],
      output: { excludeNamespaces: true },
      radar: {
        upload: true,
        api_base_url: 'https://r/v1',
        environment: 'prod',
        api_password_env: 'RADAR_SECRET',
        upload_retries: 0,
      },
    },
  })
  expect(filename).toBe('kubebuddy-production-eu.yaml')
  expect(content).toBe(`# The scanner uploads to https://r/v1
thresholds:
  cpu_warning: 60
  pod_sizing_profile: "aggressive"
  pod_sizing_compare_profiles: false
excluded_namespaces:
  - "kube-system"
  - "no"
trusted_registries:
  - "mcr.microsoft.com/"
  - "ghcr.io/shop/"
excluded_checks: []
radar:
  enabled: true
  api_base_url: "https://r/v1"
  environment: "prod"
  api_user_env: "KUBEBUDDY_RADAR_API_USER"
  api_password_env: "RADAR_SECRET"
  upload_retries: 0
`)
})

test('the configuration file of a profile without settings is an empty map', () => {
  expect(configurationFile(bare).content).toBe('{}\n')
})

test('the same list twice is written twice, not referred to', () => {
  const names = ['a']
  const settings = { excluded_namespaces: names, excluded_checks: names }
  expect(configurationFile({ ...bare, settings }).content).not.toMatch(/[&*]/)
})
