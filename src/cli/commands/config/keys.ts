import type { Config } from '../../../config/config-file.ts'
import { type ServerSettingName, type SettingName, serverSettings, settings } from '../../../config/settings.ts'
import { ReltError } from '../../../errors.ts'
import { readFormat } from '../../output/formats.ts'

/** All available settings; they write to `config`. */
export function toKeys(config: Config) {
  const ours = (Object.keys(settings) as SettingName[]).map((name) =>
    toKey(name, settings[name], config.settings, name),
  )
  const theirs = [...config.servers].flatMap(([server, values]) =>
    (Object.keys(serverSettings) as ServerSettingName[]).map((name) =>
      toKey(`servers.${server}.${name}`, serverSettings[name], values, name),
    ),
  )
  return [...ours, ...theirs]
}

/** Throws `usage` with the known keys. */
export function getKey(config: Config, wanted: string) {
  const keys = toKeys(config)
  const found = keys.find(({ key }) => key === wanted)
  if (found) return found
  throw new ReltError('usage', `No setting named "${wanted}".`, {
    hint: `Known settings: ${keys.map(({ key }) => key).join(', ')}.`,
  })
}

/** One setting, or one setting of a server, by key. */
function toKey(
  key: string,
  { summary, usually, parse }: { summary: string; usually: string; parse: (text: string) => unknown },
  holder: object,
  name: string,
) {
  const values = holder as Record<string, unknown>
  const read = key === 'output' ? readFormat : parse
  return {
    key,
    summary,
    usually,
    value: values[name],
    /** An empty text clears the setting. Throws an `Error` that says what is required. */
    set: (text: string) => {
      if (text === '') delete values[name]
      else values[name] = read(text)
    },
  }
}
