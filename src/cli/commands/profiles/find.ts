import type { ReceivedClusterConfig } from '../../../contract/received/cluster-config.ts'
import type { ScanSettings } from '../../../contract/scan-settings.ts'
import { ReltError } from '../../../errors.ts'
import { listProfiles, profileKind } from '../../../submit/find-profile.ts'
import { knownId } from '../../../util/known-id.ts'
import { nameKey } from '../../../util/pick-named.ts'
import { resolve } from '../../input/resolve.ts'
import type { Cli } from '../../program/command.ts'

/** Commands find a profile by name, so names must be unique. Throws `conflict`. */
export async function requireFreeName({ context }: Cli, name: string, own?: string) {
  const key = nameKey(name)
  const other = (await listProfiles(await context.client())).find(
    (each) => nameKey(each.name) === key && each.config_id !== own,
  )
  if (!other) return
  const id = other.config_id ? ` (${other.config_id})` : ''
  throw new ReltError('conflict', `A profile named "${other.name}" exists${id}.`, {
    hint: 'Choose another name, or change it: relt profiles edit NAME',
  })
}

/** Finds a profile by id or name; on a terminal, without either, from a list. */
export async function findProfile(cli: Cli, idOrName: string | undefined) {
  const profile = await resolve(cli, idOrName, { ...profileKind, load: listProfiles })
  return { ...profile, config_id: knownId(profile.config_id, `the profile ${profile.name}`) }
}

/** Like `findProfile`, with the notes and settings that lists omit. */
export async function readProfile(
  cli: Cli,
  idOrName: string | undefined,
): Promise<ReceivedClusterConfig & { config_id: string; settings: ScanSettings }> {
  const { notes = null, settings, ...profile } = await findProfile(cli, idOrName)
  if (settings !== undefined) return { ...profile, notes, settings }
  const whole = await cli.call('getConfig', { params: { config_id: profile.config_id } })
  return { ...profile, ...whole, config_id: profile.config_id }
}
