import type { Profile } from './profile.ts'
import { type ProfileSettingName, type RunOptions, settingsFor } from './settings.ts'
import type { Word } from './shell.ts'

/** PowerShell parameter names that are not just the setting's name with a capital. */
const names: Partial<Record<ProfileSettingName, string>> = {
  jsonReport: 'jsonReport',
  txtReport: 'txtReport',
  outputPath: 'outputpath',
  yes: 'yes',
}

/** Arguments of `pwsh` that run the scanner. */
export function powershellArguments(profile: Profile, options: RunOptions) {
  return ['-NoProfile', '-NonInteractive', '-Command', powershellLine(profile, options)]
}

/** One line for the scanner's PowerShell module. */
export function powershellLine(profile: Profile, options: RunOptions) {
  return parameters(profile, options).join(' ')
}

/** One parameter per line, with a backtick at the end of each line to continue it. */
export function powershellLines(profile: Profile, options: RunOptions) {
  return parameters(profile, options).join(' `\n  ')
}

function parameters(profile: Profile, options: RunOptions) {
  const given = settingsFor(profile, options).map(({ name, value }) => {
    const parameter = `-${names[name] ?? name.charAt(0).toUpperCase() + name.slice(1)}`
    if (value === true) return parameter
    return `${parameter} ${Array.isArray(value) ? value.map(quotePowershell).join(',') : quotePowershell(value)}`
  })
  return ['Invoke-KubeBuddy', ...given]
}

/**
 * In single quotes, PowerShell only interprets quotes, including typographic ones. A value `--%`, quoted or not, stops
 * argument parsing unless it is in parentheses.
 */
export function quotePowershell(text: string) {
  const quoted = `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
  return text === '--%' ? `(${quoted})` : quoted
}

/** One line for PowerShell that runs another program. */
export function programLine(words: Word[]) {
  return words.map(programWord).join(' ')
}

function programWord(word: Word) {
  if (typeof word !== 'string') return word.powershell
  const [, name = '', rest = ''] = /^([A-Za-z]\w*=)?(.*)$/s.exec(word)!
  return !name && /^[\w/-]+$/.test(rest) ? rest : name + quotePowershell(rest)
}
