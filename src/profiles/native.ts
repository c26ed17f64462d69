import type { Profile } from './profile.ts'
import { type RunOptions, settingsFor } from './settings.ts'

/** Arguments of `kubebuddy`. With `=` a value that begins with a dash is no flag. */
export function nativeArguments(profile: Profile, options: RunOptions = {}): string[] {
  const flags = settingsFor(profile, options).map(({ name, value }) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    if (value === true) return flag
    return `${flag}=${Array.isArray(value) ? value.map(csvField).join(',') : value}`
  })
  return ['run', ...flags]
}

/** The scanner reads its lists as one record of CSV, in which a bare quote is an error and a line's end the end. */
function csvField(text: string): string {
  return /["\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
