import type { ReceivedScanCommand } from '../../../contract/received/cluster-config.ts'
import { asProfile } from '../../../profiles/as-profile.ts'
import { isObject } from '../../../util/json.ts'
import type { Cli } from '../../program/command.ts'

const replaced = 'relt generated this from the profile, because the server sent no upload address.'

/**
 * The commands of a profile. Some implementations return commands that upload without an address, which the scanner sends to
 * its vendor's public service: generates those here instead, for the selected server.
 */
export async function getCommands(cli: Cli, config_id: string): Promise<ReceivedScanCommand> {
  const sent = await cli.call('getConfigCommand', { params: { config_id } })
  const server = await cli.context.server()
  if (!server || Object.values(sent).every((value) => typeof value !== 'string' || !uploadsAnywhere(value))) return sent
  const { generateCommands } = await import('../../../profiles/index.ts')
  const commands = generateCommands(asProfile(await cli.call('getConfig', { params: { config_id } })), server.url)
  return { ...commands, warnings: [...commands.warnings, replaced] }
}

/** Like `getCommands`, for the configuration file. */
export async function getFile(cli: Cli, config_id: string) {
  const sent = await cli.call('getConfigFile', { params: { config_id } })
  const server = await cli.context.server()
  if (!server || (isAddressed(sent) && isAddressed(await readYaml(sent.content)))) return { file: sent, warnings: [] }
  const { configurationFile } = await import('../../../profiles/index.ts')
  const profile = await cli.call('getConfig', { params: { config_id } })
  const { filename, content, configuration } = configurationFile(asProfile(profile), server.url)
  return { file: { filename, content, content_type: 'application/yaml', ...configuration }, warnings: [replaced] }
}

/** Quoted text is a value, so an address counts only after its setting's name outside of quotes. */
export function uploadsAnywhere(command: string): boolean {
  if (!/radar[-_]?(upload|compare|fetch[-_]?config)/i.test(command)) return false
  const names = command.replace(/\\.|'[^']*'|"[^"]*"/gs, (part) => (part.length > 2 ? 'value' : ''))
  return !(
    /(^|\s)(--?)?radar[-_]?api[-_]?base[-_]?url[=:\s]+\w/i.test(names) &&
    /radar[-_]?api[-_]?base[-_]?url[=:\s]+['"]?https?:\/\/[^/\s'"]/i.test(command)
  )
}

function isAddressed(configuration: unknown) {
  if (!isObject(configuration)) return false
  return Object.entries(configuration)
    .filter(([name]) => name.toLowerCase() === 'radar')
    .every(([, radar]) => isObject(radar) && /^https?:\/\/[^/\s]/i.test(String(radar.api_base_url)))
}

/** Undefined for an unreadable file, which then counts as having no server address. */
async function readYaml(content: string) {
  const { parseYaml } = await import('./document.ts')
  try {
    return parseYaml(content, 'The configuration file')
  } catch {
    return undefined
  }
}
