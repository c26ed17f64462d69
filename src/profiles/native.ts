import { type Profile, settingsOf } from './settings.ts'
import { quoteShell } from './shell.ts'

/** One line for the scanner's own executable, for a POSIX shell. Lists are comma-separated there. */
export function nativeCommand(profile: Profile): string {
  const flags = settingsOf(profile).map(({ name, value }) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    if (value === true) return flag
    // With `=` a value that begins with a dash is no flag.
    return `${flag}=${quoteShell(Array.isArray(value) ? value.join(',') : value)}`
  })
  return ['kubebuddy run', ...flags].join(' ')
}
