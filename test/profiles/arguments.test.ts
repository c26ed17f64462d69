import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  containerArguments,
  containerCredentialsFor,
  credentialsFor,
  nativeArguments,
  type Profile,
  powershellArguments,
  type RunOptions,
} from '../../src/profiles/index.ts'
import { readFlags } from './read-flags.ts'

const profile: Profile = {
  name: 'x',
  cluster_name: "-blue's",
  provider: 'kubernetes',
  settings: {
    output: { htmlReport: true, jsonReport: false, outputPath: '/srv/reports', yes: true },
    thresholds: { cpu_warning: 60 },
    excluded_checks: ['A', 'B"\nC'],
    prometheus: { enabled: true, url: 'https://p', mode: 'azure', bearerTokenEnv: 'PROM_TOKEN' },
    radar: { upload: true, compare: true, fetch_config: true, api_base_url: 'https://r/v1', environment: 'prod' },
  },
}
const options: RunOptions = { outputPath: '/tmp/out', configPath: '/tmp/c,"1.yaml', formats: ['json'], radar: false }

describe('arguments for one who runs the scanner', () => {
  test('put folder, file and formats in place of what the profile says, and leave the upload to the caller', () => {
    const [command, ...flags] = nativeArguments(profile, options)
    expect(command).toBe('run')
    expect(readFlags(flags)).toEqual({
      'json-report': true,
      'output-path': '/tmp/out',
      yes: true,
      'config-path': '/tmp/c,"1.yaml',
      'excluded-checks': ['A', 'B"\nC'],
      'cluster-name': "-blue's",
      'include-prometheus': true,
      'prometheus-url': 'https://p',
      'prometheus-mode': 'azure',
      'prometheus-bearer-token-env': 'PROM_TOKEN',
    })
  })

  test('are one script for PowerShell', () => {
    const settings = { excluded_checks: ['A', 'B'] }
    expect(
      powershellArguments({ ...profile, settings }, { outputPath: "/tmp/it's", formats: ['json', 'csv'] }),
    ).toEqual([
      '-NoProfile',
      '-NonInteractive',
      '-Command',
      "Invoke-KubeBuddy -jsonReport -CsvReport -outputpath '/tmp/it''s' -ExcludedChecks 'A','B' -ClusterName '-blue''s'",
    ])
  })

  test('are read by PowerShell after the value --%, too', () => {
    const [, , , script] = powershellArguments(
      { ...profile, cluster_name: '--%', settings: { output: { yes: true } } },
      { outputPath: '--%', formats: ['json'] },
    )
    expect(script).toBe("Invoke-KubeBuddy -jsonReport -outputpath ('--%') -yes -ClusterName ('--%')")
  })

  test('reach a container without a shell', () => {
    const places = { ...options, outputPath: '/tmp/out', kubeconfigPath: '/home/ada/kube config', tag: 'v1' }
    const environment = { PROM_TOKEN: 't', AZURE_CLIENT_ID: 'a', AZURE_CLIENT_SECRET: 'b', AZURE_TENANT_ID: 'c' }
    const words = runDocker(containerArguments(profile, places), environment)
    expect(words).toEqual([
      'run',
      '--rm',
      ...[
        'JSON_REPORT=true',
        'KUBEBUDDY_CONFIG_PATH=/app/kubebuddy-config.yaml',
        'EXCLUDED_CHECKS=A,B"\nC',
        "CLUSTER_NAME=-blue's",
        'INCLUDE_PROMETHEUS=true',
        'PROMETHEUS_URL=https://p',
        'PROMETHEUS_MODE=azure',
        'PROMETHEUS_BEARER_TOKEN_ENV=PROM_TOKEN',
        'PROM_TOKEN=t',
        'AZURE_CLIENT_ID=a',
        'AZURE_CLIENT_SECRET=b',
        'AZURE_TENANT_ID=c',
        'KUBECONFIG=/home/kubeuser/.kube/config',
      ].flatMap((variable) => ['-e', variable]),
      '-v',
      '/home/ada/kube config:/tmp/kubeconfig-original:ro',
      '-v',
      '/tmp/out:/app/Reports',
      '--mount',
      'type=bind,"source=/tmp/c,""1.yaml",target=/app/kubebuddy-config.yaml,readonly',
      'ghcr.io/kubedeckio/kubebuddy:v1',
    ])
  })

  test('come with the names of the variables that must be set', () => {
    const upload = ['KUBEBUDDY_RADAR_API_USER', 'KUBEBUDDY_RADAR_API_PASSWORD']
    expect(credentialsFor(profile)).toEqual([...upload, 'PROM_TOKEN'])
    expect(credentialsFor(profile, options)).toEqual(['PROM_TOKEN'])
    const azure = ['AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET', 'AZURE_TENANT_ID']
    expect(containerCredentialsFor(profile, options)).toEqual(['PROM_TOKEN', ...azure])
  })
})

function runDocker(words: string[], environment: Record<string, string>): string[] {
  const home = mkdtempSync(join(tmpdir(), 'relt-docker-'))
  try {
    const docker = join(import.meta.dirname, '../fixtures/profiles/bin/docker')
    execFileSync(docker, words, { env: { ...environment, RECORD: join(home, 'record') } })
    return readFileSync(join(home, 'record'), 'utf8').split('\0').slice(1, -1)
  } finally {
    rmSync(home, { recursive: true })
  }
}
