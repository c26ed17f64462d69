import type { Profile } from './profile.ts'
import { type RunOptions, settingsFor } from './settings.ts'

/** Arguments of `kubebuddy`. With `=`, a value that starts with a dash is not parsed as a flag. */
export function nativeArguments(profile: Profile, options: RunOptions) {
  const flags = settingsFor(profile, options).map(({ name, value }) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    if (value === true) return flag
    return `${flag}=${Array.isArray(value) ? value.map(csvField).join(',') : value}`
  })
  return ['run', ...flags]
}

/** The scanner parses lists as one CSV record, in which a bare quote is an error and a line break ends the list. */
function csvField(text: string) {
  return /["\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
