import { agentArgs, escapeXml, type UnitFile, type UnitOptions, unitName } from './unit.ts'

/**
 * A task for the Windows Task Scheduler. A machine task starts at boot without a log-in (`S4U` needs no stored password). A
 * user task starts at log-in, which needs no administrator. The trigger repeats: an agent that ended is restarted within 5
 * minutes, and a running one is left alone.
 */
export function windowsTask({ program, config, isUser, env }: UnitOptions): UnitFile {
  const [command = '', ...args] = [...program, ...agentArgs(config)]
  const { USERNAME: name, USERDOMAIN: domain } = env
  // Outside of Windows there is no user to name: the task gets the account LOCAL SERVICE, which has no log-on type.
  const user = name ? escapeXml([domain, name].filter(Boolean).join('\\')) : 'S-1-5-19'
  const logon = isUser ? 'InteractiveToken' : 'S4U'
  const repetition = '<Repetition><Interval>PT5M</Interval></Repetition>'
  const trigger = isUser
    ? `<LogonTrigger>${repetition}<UserId>${user}</UserId></LogonTrigger>`
    : `<BootTrigger>${repetition}</BootTrigger>`
  return {
    path: `${unitName}.xml`,
    content: `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.4" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>relt agent: scans on schedule and reports from folders</Description>
    <URI>\\${unitName}</URI>
  </RegistrationInfo>
  <Triggers>
    ${trigger}
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${user}</UserId>
${name ? `      <LogonType>${logon}</LogonType>\n` : ''}      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>255</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escapeXml(command)}</Command>
      <Arguments>${escapeXml(args.map(windowsArgument).join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`,
  }
}

/** Backslashes are special only before a quote. */
function windowsArgument(text: string) {
  if (/^[^\s"]+$/.test(text)) return text
  return `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
}
