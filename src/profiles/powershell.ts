import { type Profile, type SettingName, settingsOf } from './settings.ts'

/** PowerShell names of the parameters that are not simply the setting's with a capital. */
const names: Partial<Record<SettingName, string>> = { jsonReport: 'jsonReport', yes: 'yes' }

/** One line for the scanner's PowerShell module. */
export function powershellCommand(profile: Profile): string {
  const parameters = settingsOf(profile).map(({ name, value }) => {
    const parameter = `-${names[name] ?? name.charAt(0).toUpperCase() + name.slice(1)}`
    if (value === true) return parameter
    return `${parameter} ${Array.isArray(value) ? value.map(quotePowershell).join(',') : quotePowershell(value)}`
  })
  return ['Invoke-KubeBuddy', ...parameters].join(' ')
}

/** In single quotes nothing is special but the quote itself, and PowerShell takes typographic ones for quotes too. */
export function quotePowershell(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`
}
