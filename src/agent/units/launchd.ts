import { agentArgs, escapeXml, placesFor, type UnitFile, type UnitOptions } from './unit.ts'

export const launchdLabel = 'relt.agent'

type Value = string | number | boolean | string[] | Record<string, string>

/** A launch agent runs while the user is logged in. A daemon runs as the installing user, from boot on. */
export function launchdPlist(options: UnitOptions): UnitFile {
  const { program, config, isUser, env } = options
  const home = env.HOME ?? '/var/root'
  const log = `${home}/Library/Logs/relt-agent.log`
  const keys: Record<string, Value> = {
    Label: launchdLabel,
    ProgramArguments: [...program, ...agentArgs(config)],
    ...(!isUser && { UserName: env.SUDO_USER ?? env.USER ?? 'root' }),
    RunAtLoad: true,
    KeepAlive: true,
    ThrottleInterval: 10,
    ExitTimeOut: 30,
    ProcessType: 'Background',
    // 077: files of the agent and the scanner are private to their user.
    Umask: 0o77,
    WorkingDirectory: home,
    EnvironmentVariables: { HOME: home, ...Object.fromEntries(placesFor(options)) },
    StandardOutPath: log,
    StandardErrorPath: log,
  }
  const dict = Object.entries(keys).map(([key, value]) => `  <key>${key}</key>\n  ${render(value)}\n`)
  return {
    path: `${launchdLabel}.plist`,
    content: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
${dict.join('')}</dict>
</plist>
`,
  }
}

function render(value: Value): string {
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>'
  if (typeof value === 'number') return `<integer>${value}</integer>`
  if (typeof value === 'string') return `<string>${escapeXml(value)}</string>`
  if (Array.isArray(value)) return `<array>${value.map((item) => `\n    ${render(item)}`).join('')}\n  </array>`
  const entries = Object.entries(value).map(([key, item]) => `\n    <key>${escapeXml(key)}</key>\n    ${render(item)}`)
  return `<dict>${entries.join('')}\n  </dict>`
}
