import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { generateCommands } from '../../src/profiles/commands.ts'
import { configurationFile } from '../../src/profiles/config-file.ts'
import { containerArguments } from '../../src/profiles/container.ts'
import { credentialsFor } from '../../src/profiles/credentials.ts'
import { nativeArguments } from '../../src/profiles/native.ts'
import type { Profile } from '../../src/profiles/profile.ts'
import { hostileProfile } from './arbitrary.ts'
import { readPowershell } from './read-powershell.ts'

const server = 'https://relt.example/api/relt/v1'
const bare: Profile = { name: 'x', cluster_name: 'blue', provider: 'kubernetes', config_id: 'ccfg_1', settings: {} }
const contacts = { upload: true, compare: true, fetch_config: true }
const upload = { ...bare, settings: { radar: contacts } }
const everything = (profile: Profile, from?: string) =>
  JSON.stringify([generateCommands(profile, from), configurationFile(profile, from)])

/** Settings that make the scanner contact a server, by any of their names. */
const contacting = /^(-e )?(--)?radar[-_]?(upload|compare|fetch[-_]?config)\b/i

describe('without an address', () => {
  test.each([undefined, ''])('nothing is uploaded, compared or fetched: %j', (api_base_url) => {
    const settings = { radar: { ...contacts, ...(api_base_url !== undefined && { api_base_url }) } }
    const all = everything({ ...bare, settings })
    expect(all).not.toMatch(/radar[-_]?upload|radar[-_]?compare|radar[-_]?fetch|"radar"|KUBEBUDDY_RADAR|ccfg_1/i)
    expect(credentialsFor({ ...bare, settings })).toEqual([])
  })

  test('the command and the file say in one line that uploading is left out', () => {
    const line = 'The profile has no server, so nothing is uploaded, compared or fetched. Set radar.api_base_url.'
    expect(generateCommands(upload).warnings).toEqual([line])
    expect(configurationFile(upload).content).toBe(`# ${line}\n{}\n`)
  })

  test('a profile that would be fetched names its file instead', () => {
    const settings = { radar: contacts, thresholds: { cpu_warning: 60 } }
    expect(generateCommands({ ...bare, settings }).native_command).toContain('--config-path')
    expect(generateCommands({ ...bare, settings }, server).native_command).not.toContain('--config-path')
  })

  test('a profile that wants no upload says nothing of it', () => {
    for (const radar of [{}, { environment: 'prod' }, { upload: false }]) {
      const profile = { ...bare, settings: { radar } }
      expect(generateCommands(profile).warnings).toEqual([])
      expect(configurationFile(profile).content).toBe('{}\n')
    }
  })
})

describe('the address', () => {
  test('is that of the server that the profile comes from', () => {
    const { native_command, docker_env, powershell_command, warnings } = generateCommands(upload, server)
    expect(native_command).toContain(`--radar-upload --radar-compare --radar-fetch-config`)
    expect(native_command).toContain(`--radar-api-base-url='${server}'`)
    expect(docker_env).toContain(`-e RADAR_API_BASE_URL='${server}'`)
    expect(powershell_command).toContain(`-RadarApiBaseUrl '${server}'`)
    expect(warnings).toEqual([`The scanner uploads to ${server}`])
    const { content, configuration } = configurationFile(upload, server)
    expect(content).toMatch(new RegExp(`^# The scanner uploads to ${server}\n`))
    expect(configuration.radar).toMatchObject({ enabled: true, api_base_url: server })
  })

  test('is the own one of the profile before any other', () => {
    const own = { ...bare, settings: { radar: { ...contacts, api_base_url: 'https://own/v1' } } }
    expect(everything(own, server)).toBe(everything(own))
    expect(everything(own)).not.toContain('relt.example')
  })

  test('stays in its line of the file, whatever it looks like', () => {
    const api_base_url = 'https://h/\nradar:\n  enabled: true\u2028\u0085x: 1'
    const { content, configuration } = configurationFile({
      ...bare,
      settings: { radar: { api_base_url, compare: true } },
    })
    expect(parse(content)).toEqual(configuration)
    expect(Object.keys(configuration)).toEqual(['radar'])
  })
})

describe('excluded namespaces', () => {
  const line = 'The scanner still scans excluded_namespaces, because output.excludeNamespaces is off.'

  test.each([
    [{ excluded_namespaces: ['a'] }, [line]],
    [{ excluded_namespaces: ['a'], output: { excludeNamespaces: false } }, [line]],
    [{ excluded_namespaces: ['a'], output: { excludeNamespaces: true } }, []],
    [{ excluded_namespaces: [] }, []],
    [{}, []],
  ])('%j: %j', (settings, lines) => {
    const { warnings } = generateCommands({ ...bare, settings })
    expect(warnings.filter((each) => !each.startsWith('Save'))).toEqual(lines)
    const { content } = configurationFile({ ...bare, settings })
    expect(content.split('\n').filter((each) => each.startsWith('#'))).toEqual(lines.map((each) => `# ${each}`))
  })
})

test('no command and no file of any profile uploads without an address', async () => {
  let uploading = 0
  await fc.assert(
    fc.property(hostileProfile, fc.constantFrom(undefined, server), (profile, from) => {
      const commands = generateCommands(profile, from)
      const places = { outputPath: '/r', kubeconfigPath: '/k', tag: 'v1' }
      const { content, configuration } = configurationFile(profile, from)
      for (const words of [
        Object.keys(readPowershell(commands.powershell_command).parameters),
        Object.keys(readPowershell(commands.powershell_multiline).parameters),
        nativeArguments(profile, {}),
        commands.docker_env.split('\n'),
        containerArguments(profile, places),
      ]) {
        const isAddress = /^(-e )?(--)?radar[-_]?api[-_]?base[-_]?url(=.*\S|$)/is
        if (!words.some((word) => contacting.test(word))) continue
        uploading++
        expect(words.filter((word) => isAddress.test(word))).toHaveLength(1)
      }
      for (const { radar } of [parse(content), configuration] as { radar?: { api_base_url?: string } }[]) {
        if (radar) expect(radar.api_base_url).toMatch(/^https:/)
      }
    }),
    { numRuns: 300 },
  )
  expect(uploading).toBeGreaterThan(100)
})
