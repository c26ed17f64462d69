import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { configurationFile } from '../../src/profiles/config-file.ts'
import { dockerCommand, dockerEnv } from '../../src/profiles/docker.ts'
import { nativeCommand } from '../../src/profiles/native.ts'
import { powershellCommand, quotePowershell } from '../../src/profiles/powershell.ts'
import type { Profile } from '../../src/profiles/settings.ts'
import { quoteShell } from '../../src/profiles/shell.ts'

const aks: Profile = {
  name: 'Production, EU',
  cluster_name: 'prod-eu',
  provider: 'aks',
  settings: {
    aks: { subscriptionId: '0000', resourceGroup: "rg'1", clusterName: 'prod-eu' },
    prometheus: { enabled: true, url: 'https://prometheus.example', mode: 'bearer', bearerTokenEnv: 'PROM_TOKEN' },
    output: { htmlReport: true, jsonReport: true, excludeNamespaces: true, yes: true },
    thresholds: { cpu_warning: 60 },
    excluded_namespaces: ['kube-system'],
    excluded_checks: ['SEC014', 'POD001'],
    trusted_registries: ['mcr.microsoft.com', 'ghcr.io/shop/'],
    radar: { upload: true, compare: true, environment: 'prod' },
  },
}
const bare: Profile = { name: 'x', cluster_name: 'x', provider: 'kubernetes', settings: {} }

describe('commands', () => {
  test('say every setting to PowerShell', () => {
    expect(powershellCommand(aks)).toBe(
      "Invoke-KubeBuddy -HtmlReport -jsonReport -yes -ExcludeNamespaces -ExcludedChecks 'SEC014','POD001' " +
        "-Aks -SubscriptionId '0000' -ResourceGroup 'rg''1' -ClusterName 'prod-eu' " +
        "-IncludePrometheus -PrometheusUrl 'https://prometheus.example' -PrometheusMode 'bearer' " +
        "-PrometheusBearerTokenEnv 'PROM_TOKEN' -RadarUpload -RadarCompare -RadarEnvironment 'prod'",
    )
  })

  test('say every setting to the native scanner', () => {
    expect(nativeCommand(aks)).toBe(
      "kubebuddy run --html-report --json-report --yes --exclude-namespaces --excluded-checks='SEC014,POD001' " +
        "--aks --subscription-id='0000' --resource-group='rg'\\''1' --cluster-name='prod-eu' " +
        "--include-prometheus --prometheus-url='https://prometheus.example' --prometheus-mode='bearer' " +
        "--prometheus-bearer-token-env='PROM_TOKEN' --radar-upload --radar-compare --radar-environment='prod'",
    )
  })

  test('say every setting to the container, and name credentials without their values', () => {
    expect(dockerEnv(aks).split('\n')).toEqual([
      "-e HTML_REPORT='true'",
      "-e JSON_REPORT='true'",
      "-e EXCLUDE_NAMESPACES='true'",
      "-e EXCLUDED_CHECKS='SEC014,POD001'",
      "-e AKS_MODE='true'",
      "-e SUBSCRIPTION_ID='0000'",
      "-e RESOURCE_GROUP='rg'\\''1'",
      "-e CLUSTER_NAME='prod-eu'",
      "-e INCLUDE_PROMETHEUS='true'",
      "-e PROMETHEUS_URL='https://prometheus.example'",
      "-e PROMETHEUS_MODE='bearer'",
      "-e PROMETHEUS_BEARER_TOKEN_ENV='PROM_TOKEN'",
      "-e RADAR_UPLOAD='true'",
      "-e RADAR_COMPARE='true'",
      "-e RADAR_ENVIRONMENT='prod'",
      '-e KUBEBUDDY_RADAR_API_USER',
      '-e KUBEBUDDY_RADAR_API_PASSWORD',
      '-e AZURE_CLIENT_ID',
      '-e AZURE_CLIENT_SECRET',
      '-e AZURE_TENANT_ID',
    ])
    expect(dockerCommand(bare)).toContain("docker run --rm -e JSON_REPORT='true' ")
  })

  test('ask for a report when the profile names none', () => {
    expect(powershellCommand(bare)).toBe('Invoke-KubeBuddy -jsonReport')
    expect(nativeCommand(bare)).toBe('kubebuddy run --json-report')
  })
})

describe('quoting', () => {
  test('hands any text through a shell unchanged', () => {
    const texts = fc.sample(fc.string({ unit: 'grapheme' }), 150).map((text) => text.replaceAll('\0', ''))
    const hostile = ["'", '"', '$(id)', '`id`', 'a\nb', ';', '%PATH%', '-x', '\\', '!', '* ?', 'é🌍']
    const all = [...hostile, ...texts]
    const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${all.map(quoteShell).join(' ')}`], { encoding: 'utf8' })
    expect(printed.split('\0').slice(0, -1)).toEqual(all)
  })

  test('doubles every letter that PowerShell takes for a quote', () => {
    expect(quotePowershell("a'b\u2019c$(d)")).toBe("'a''b\u2019\u2019c$(d)'")
  })
})

describe('the configuration file', () => {
  test('is YAML that says what the profile says', () => {
    const { filename, content, configuration } = configurationFile(aks)
    expect(filename).toBe('kubebuddy-production-eu.yaml')
    expect(parse(content)).toEqual(configuration)
    expect(configuration).toEqual({
      thresholds: { cpu_warning: 60 },
      excluded_namespaces: ['kube-system'],
      trusted_registries: ['mcr.microsoft.com/', 'ghcr.io/shop/'],
      excluded_checks: ['SEC014', 'POD001'],
      radar: {
        enabled: true,
        environment: 'prod',
        api_user_env: 'KUBEBUDDY_RADAR_API_USER',
        api_password_env: 'KUBEBUDDY_RADAR_API_PASSWORD',
      },
    })
  })

  test('parses back whatever the names are', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (names) => {
        const { content, configuration } = configurationFile({
          ...bare,
          settings: { excluded_namespaces: names, excluded_checks: names },
        })
        expect(parse(content)).toEqual(configuration)
      }),
    )
  })
})
