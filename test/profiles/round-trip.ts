import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { generateCommands } from '../../src/profiles/commands.ts'
import { configurationFile } from '../../src/profiles/config-file.ts'
import { escapeForYaml } from '../../src/profiles/escape.ts'
import type { Profile } from '../../src/profiles/profile.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { hostileProfile } from './arbitrary.ts'
import { readFlags } from './read-flags.ts'
import { readPowershell } from './read-powershell.ts'
import { runLines } from './run-lines.ts'
import { addressed, callersVariables, toldContainer, toldNative, toldPowershell } from './told.ts'

/** Tests that what a profile says is what arrives, for as many generated profiles as told. */
export function describeRoundTrip(count: number): void {
  describe(`of ${count} hostile profiles`, () => {
    const seed = fc.sample(fc.integer(), 1)[0]!
    const at = (index: number) => `profile ${index} of seed ${seed}`
    const profiles = fc.sample(hostileProfile, { numRuns: count, seed })
    const cases = profiles.map((given, i) => {
      const server = i % 2 ? 'https://relt.example/api/relt/v1' : undefined
      return { given, server, profile: addressed(given, server), commands: generateCommands(given, server) }
    })

    test('the native line brings every setting through bash', async () => {
      const calls = await runLines(cases.map(({ commands }) => commands.native_command))
      expect(calls).toHaveLength(count)
      for (const [i, { profile, commands }] of cases.entries()) {
        const [command, ...flags] = calls[i]!
        expect(command).toBe('run')
        expect(readFlags(flags), at(i)).toEqual(toldNative(profile, commands.yaml_filename))
      }
    })

    test("the container's line brings every setting through bash, and credentials from the environment", async () => {
      const all = cases.filter(({ commands }) => commands.docker_command !== null)
      const lines = all.map(({ profile, commands }) => {
        const names = callersVariables(toldContainer(profile, commands.yaml_filename))
        return [...names.map((name) => `${name}='value of ${name}'`), commands.docker_command].join(' ')
      })
      const calls = await runLines(lines)
      expect(calls).toHaveLength(all.length)
      for (const [i, { profile, commands }] of all.entries()) {
        const { environment, rest } = readContainer(calls[i]!)
        expect(environment, at(i)).toEqual(toldContainer(profile, commands.yaml_filename))
        const folder = profile.settings.output?.outputPath ?? 'Reports'
        const reports = folder.startsWith('/') ? folder : `/work dir/${folder}`
        expect(rest.slice(0, 4), at(i)).toEqual([
          '-v',
          '/home/ada/.kube/config:/tmp/kubeconfig-original:ro',
          '-v',
          `${reports}:/app/Reports`,
        ])
        const file = `type=bind,source=/work dir/${commands.yaml_filename},target=/app/kubebuddy-config.yaml,readonly`
        const mount = 'KUBEBUDDY_CONFIG_PATH' in environment ? ['--mount', file] : []
        expect(rest.slice(4), at(i)).toEqual([...mount, 'ghcr.io/kubedeckio/kubebuddy:v1.2.3'])
      }
    })

    test('both forms for PowerShell bring every setting through its rules', () => {
      for (const [i, { profile, commands }] of cases.entries()) {
        const told = { command: 'Invoke-KubeBuddy', parameters: toldPowershell(profile, commands.yaml_filename) }
        expect(readPowershell(commands.powershell_command), at(i)).toEqual(told)
        expect(readPowershell(commands.powershell_multiline), at(i)).toEqual(told)
      }
    })

    const powershell = spawnSync('pwsh', ['-v']).status === 0
    test.skipIf(!powershell)('a real PowerShell reads them the same', () => {
      const some = cases.slice(0, 200)
      const script = [
        'function Invoke-KubeBuddy { param([switch]$HtmlReport,[switch]$jsonReport,[switch]$txtReport,[switch]$CsvReport,',
        '[string]$outputpath,[switch]$yes,[string]$ConfigPath,[switch]$ExcludeNamespaces,',
        '[string[]]$AdditionalExcludedNamespaces,[string[]]$ExcludedChecks,[switch]$Aks,[string]$SubscriptionId,',
        '[string]$ResourceGroup,[string]$ClusterName,[switch]$UseAksRestApi,[switch]$Gke,[string]$ProjectId,',
        '[string]$Location,[switch]$IncludePrometheus,[string]$PrometheusUrl,[string]$PrometheusMode,',
        '[string]$PrometheusBearerTokenEnv,[switch]$RadarUpload,[switch]$RadarCompare,[switch]$RadarFetchConfig,',
        '[string]$RadarConfigId,[string]$RadarApiBaseUrl,[string]$RadarEnvironment,[string]$RadarApiUserEnv,',
        '[string]$RadarApiSecretEnv)',
        '$told = @{}; foreach ($k in $PSBoundParameters.Keys) { $v = $PSBoundParameters[$k]',
        // The result of an `if` would be the only item of a list in place of the list.
        'if ($v -is [switch]) { $told[$k] = $true } else { $told[$k] = $v } }; ConvertTo-Json -Compress -Depth 3 $told }',
        ...some.flatMap(({ commands }) => [commands.powershell_command, commands.powershell_multiline]),
      ].join('\n')
      // From standard input, PowerShell reads as from somebody who types.
      const file = join(temporaryFolder(), 'commands.ps1')
      writeFileSync(file, `${script}\n`)
      const args = ['-NoProfile', '-NonInteractive', '-File', file]
      const { stdout } = spawnSync('pwsh', args, { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
      const told = some.map(({ profile, commands }) => toldPowershell(profile, commands.yaml_filename))
      const read = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(read).toEqual(told.flatMap((each) => [each, each]))
    })

    test('the configuration file says the same in YAML 1.1 and 1.2, and so does its JSON', () => {
      for (const [i, { given, server, profile }] of cases.entries()) {
        const { content, configuration } = configurationFile(given, server)
        const json = escapeForYaml(JSON.stringify({ content, ...configuration }))
        expect(content + json, at(i)).toMatch(printable)
        for (const version of ['1.1', '1.2'] as const) {
          expect(parse(content, { version }), at(i)).toEqual(saidInFile(profile))
          expect(parse(json, { version }), at(i)).toEqual({ content, ...saidInFile(profile) })
        }
      }
    })

    test('no command and no file has what is unknown to the scanner, or a credential', () => {
      for (const { given, server, commands } of cases) {
        const all = JSON.stringify([commands, configurationFile(given, server).content])
        expect(all).not.toMatch(/secret-in-profile|value of|api_password"|api_user"/)
      }
    })
  })
}

/** What YAML's strictest reader takes as it is, without the breaks of lines that only YAML 1.1 knows. */
const printable = /^[\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u

function saidInFile({ settings }: Profile) {
  const { thresholds, excluded_namespaces, trusted_registries, excluded_checks, radar } = settings
  const said = {
    thresholds,
    excluded_namespaces,
    trusted_registries: trusted_registries?.map((each) => each.replace(/\/?$/, '/')),
    excluded_checks,
    radar: radar && {
      enabled: radar.upload ?? false,
      api_base_url: radar.api_base_url,
      environment: radar.environment || undefined,
      api_user_env: radar.api_user_env ?? 'KUBEBUDDY_RADAR_API_USER',
      api_password_env: radar.api_password_env ?? 'KUBEBUDDY_RADAR_API_PASSWORD',
      upload_timeout_seconds: radar.upload_timeout_seconds,
      upload_retries: radar.upload_retries,
    },
  }
  return JSON.parse(JSON.stringify(said))
}

function readContainer(words: string[]): { environment: Record<string, string>; rest: string[] } {
  expect(words.slice(0, 2)).toEqual(['run', '--rm'])
  const environment: Record<string, string> = {}
  let at = 2
  for (; words[at] === '-e'; at += 2) {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(words[at + 1]!)!
    expect(environment).not.toHaveProperty(name!)
    environment[name!] = value!
  }
  return { environment, rest: words.slice(at) }
}
