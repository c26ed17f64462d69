import { describe, expect, test } from 'vitest'
import { generateCommands } from '../../src/profiles/commands.ts'
import type { Profile } from '../../src/profiles/profile.ts'

const aks: Profile = {
  name: 'Production, EU',
  cluster_name: 'prod-eu',
  provider: 'aks',
  settings: {
    aks: { subscriptionId: '0000', resourceGroup: "rg'1", clusterName: 'prod-eu' },
    prometheus: { enabled: true, url: 'https://prometheus.example', mode: 'bearer', bearerTokenEnv: 'PROM_TOKEN' },
    output: { htmlReport: true, jsonReport: true, excludeNamespaces: true, yes: true },
    thresholds: { cpu_warning: 60 },
    excluded_checks: ['SEC014', 'POD001'],
    radar: { upload: true, compare: true, api_base_url: 'https://r/v1', environment: 'prod' },
  },
}
const bare: Profile = { name: 'x', cluster_name: 'blue', provider: 'kubernetes', settings: {} }
const gke: Profile = {
  ...bare,
  provider: 'gke',
  settings: { gke: { projectId: 'shop', location: 'europe-west1', clusterName: 'red' } },
}

describe('commands', () => {
  test('say every setting to PowerShell, in one line and in many', () => {
    const { powershell_command, powershell_multiline } = generateCommands(aks)
    expect(powershell_command).toBe(
      "Invoke-KubeBuddy -HtmlReport -jsonReport -yes -ConfigPath 'kubebuddy-production-eu.yaml' -ExcludeNamespaces " +
        "-ExcludedChecks 'SEC014','POD001' -Aks -SubscriptionId '0000' -ResourceGroup 'rg''1' -ClusterName 'prod-eu' " +
        "-IncludePrometheus -PrometheusUrl 'https://prometheus.example' -PrometheusMode 'bearer' " +
        "-PrometheusBearerTokenEnv 'PROM_TOKEN' -RadarUpload -RadarCompare -RadarApiBaseUrl 'https://r/v1' -RadarEnvironment 'prod'",
    )
    expect(powershell_multiline.split('\n').slice(0, 3)).toEqual([
      'Invoke-KubeBuddy `',
      '  -HtmlReport `',
      '  -jsonReport `',
    ])
    expect(powershell_multiline.replaceAll(' `\n  ', ' ')).toBe(powershell_command)
  })

  test('PowerShell goes on reading after the value --%', () => {
    const settings = { excluded_checks: ['--%', 'A', '--%'], radar: { upload: true, api_base_url: 'https://r/v1' } }
    const { powershell_command } = generateCommands({ ...bare, cluster_name: '--%', settings })
    expect(powershell_command).toBe(
      "Invoke-KubeBuddy -jsonReport -ExcludedChecks ('--%'),'A',('--%') -ClusterName ('--%') " +
        "-RadarUpload -RadarApiBaseUrl 'https://r/v1'",
    )
  })

  test('say every setting to the native scanner', () => {
    expect(generateCommands(aks).native_command).toBe(
      "kubebuddy run --html-report --json-report --yes --config-path='kubebuddy-production-eu.yaml' " +
        "--exclude-namespaces --excluded-checks='SEC014,POD001' --aks --subscription-id='0000' " +
        "--resource-group='rg'\\''1' --cluster-name='prod-eu' --include-prometheus " +
        "--prometheus-url='https://prometheus.example' --prometheus-mode='bearer' " +
        "--prometheus-bearer-token-env='PROM_TOKEN' --radar-upload --radar-compare --radar-api-base-url='https://r/v1' --radar-environment='prod'",
    )
  })

  test('say every setting to the container, and name credentials without their values', () => {
    const { docker_env, docker_command, container_credential_variables } = generateCommands(aks)
    const lines = [
      "-e HTML_REPORT='true'",
      "-e JSON_REPORT='true'",
      "-e KUBEBUDDY_CONFIG_PATH='/app/kubebuddy-config.yaml'",
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
      "-e RADAR_API_BASE_URL='https://r/v1'",
      "-e RADAR_ENVIRONMENT='prod'",
      '-e KUBEBUDDY_RADAR_API_USER',
      '-e KUBEBUDDY_RADAR_API_PASSWORD',
      '-e PROM_TOKEN',
      '-e AZURE_CLIENT_ID',
      '-e AZURE_CLIENT_SECRET',
      '-e AZURE_TENANT_ID',
    ]
    expect(docker_env.split('\n')).toEqual(lines)
    expect(docker_command).toBe(
      [
        'docker run --rm',
        ...lines,
        "-e KUBECONFIG='/home/kubeuser/.kube/config'",
        '-v "$HOME/.kube/config:/tmp/kubeconfig-original:ro"',
        '-v "$PWD/Reports:/app/Reports"',
        '--mount "type=bind,source=$PWD/kubebuddy-production-eu.yaml,target=/app/kubebuddy-config.yaml,readonly"',
        ['"ghcr.io/kubedeckio/kubebuddy:$', '{KUBEBUDDY_TAG:?set it to the release to run}"'].join(''),
      ].join(' '),
    )
    expect(generateCommands(aks).docker_powershell_command).toBe(
      [
        'docker run --rm',
        ...lines.map((line) => line.replace("rg'\\''1", "rg''1")),
        "-e KUBECONFIG='/home/kubeuser/.kube/config'",
        '-v "$HOME/.kube/config:/tmp/kubeconfig-original:ro"',
        '-v "$PWD/Reports:/app/Reports"',
        '--mount "type=bind,source=$PWD/kubebuddy-production-eu.yaml,target=/app/kubebuddy-config.yaml,readonly"',
        `"ghcr.io/kubedeckio/kubebuddy:$(if ($env:KUBEBUDDY_TAG) { $env:KUBEBUDDY_TAG } else { throw 'Set KUBEBUDDY_TAG to the release to run' })"`,
      ].join(' '),
    )
    expect(container_credential_variables).toEqual(
      lines.filter((line) => !line.includes('=')).map((line) => line.slice(3)),
    )
  })

  test('keep one variable a line, whatever a value looks like', () => {
    const { docker_env } = generateCommands({ ...bare, cluster_name: 'a -e AKS_MODE=true' })
    expect(docker_env.split('\n')).toEqual(["-e JSON_REPORT='true'", "-e CLUSTER_NAME='a -e AKS_MODE=true'"])
  })

  test('ask for a report when the profile names none, and for JSON when it is uploaded', () => {
    expect(generateCommands(bare)).toMatchObject({
      powershell_command: "Invoke-KubeBuddy -jsonReport -ClusterName 'blue'",
      native_command: "kubebuddy run --json-report --cluster-name='blue'",
      credential_variables: [],
      warnings: [],
    })
    const settings = { output: { htmlReport: true, jsonReport: false } }
    expect(generateCommands({ ...bare, settings }).native_command).not.toContain('--json-report')
    const uploaded = { ...bare, settings: { ...settings, radar: { upload: true } } }
    expect(generateCommands(uploaded, 'https://r/v1').native_command).toContain('--html-report --json-report')
  })

  test('fetch the profile by its id instead of naming a file', () => {
    const settings = { thresholds: { cpu_warning: 60 }, radar: { fetch_config: true, api_base_url: 'https://r/v1' } }
    const { native_command, warnings } = generateCommands({ ...bare, config_id: 'ccfg_1', settings })
    expect(native_command).toBe(
      "kubebuddy run --json-report --cluster-name='blue' " +
        "--radar-fetch-config --radar-config-id='ccfg_1' --radar-api-base-url='https://r/v1'",
    )
    expect(warnings).toEqual(['The scanner contacts https://r/v1'])
  })
})

describe('warnings', () => {
  test('tell that the container cannot scan GKE, and there is no command for it', () => {
    expect(generateCommands(gke)).toMatchObject({
      native_command:
        "kubebuddy run --json-report --gke --project-id='shop' --location='europe-west1' --cluster-name='red'",
      docker_command: null,
      docker_powershell_command: null,
      docker_env: '',
      container_credential_variables: [],
      warnings: [expect.stringContaining('GKE')],
    })
  })

  test("tell that a provider's checks are left out, and that a file must be there", () => {
    const settings = { thresholds: { cpu_warning: 60 } }
    expect(generateCommands({ ...bare, provider: 'aks', settings }).warnings).toEqual([
      'Save the configuration file as kubebuddy-x.yaml where the command runs: the scanner does not report that it is missing.',
      'The profile has no settings.aks: the checks of AKS are left out.',
    ])
  })
})
