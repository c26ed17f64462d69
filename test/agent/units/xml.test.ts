import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { launchdPlist } from '../../../src/agent/units/launchd.ts'
import type { UnitOptions } from '../../../src/agent/units/unit.ts'
import { windowsTask } from '../../../src/agent/units/windows.ts'

const options: UnitOptions = {
  program: ['/usr/local/bin/node', '/opt/R & D/relt.js'],
  config: '/etc/<relt>/agent.yaml',
  isUser: true,
  env: { HOME: '/Users/me', USER: 'me', USERNAME: 'me', USERDOMAIN: 'PC', PATH: '/usr/bin', RELT_PASSWORD: 'a-secret' },
}

/** Elements in order; attributes have `@`. */
function parse(xml: string) {
  expect(XMLValidator.validate(xml)).toBe(true)
  return new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    preserveOrder: false,
    parseTagValue: false,
    ignoreDeclaration: true,
  }).parse(xml)
}

describe('launchd', () => {
  /** Keys of launchd.plist(5) that the file may have, with the type of each. */
  const types: Record<string, string> = {
    Label: 'string',
    UserName: 'string',
    ProgramArguments: 'array',
    RunAtLoad: 'true',
    KeepAlive: 'true',
    ThrottleInterval: 'integer',
    ExitTimeOut: 'integer',
    ProcessType: 'string',
    Umask: 'integer',
    WorkingDirectory: 'string',
    EnvironmentVariables: 'dict',
    StandardOutPath: 'string',
    StandardErrorPath: 'string',
  }

  /** Pairs of a dictionary, each value with its element. */
  function toPairs(xml: string): [key: string, type: string, value: unknown][] {
    const ordered = new XMLParser({ preserveOrder: true, parseTagValue: false }).parse(xml)
    const plist = ordered.find((node: object) => 'plist' in node).plist
    const items: Record<string, { '#text': string }[]>[] = plist[0].dict
    return Array.from({ length: items.length / 2 }, (_, i) => {
      const [type = '', value] = Object.entries(items[2 * i + 1]!)[0]!
      return [items[2 * i]!.key![0]!['#text'], type, value]
    })
  }

  test.each([true, false])('the plist has known keys of the right types, user: %s', (isUser) => {
    const { content } = launchdPlist({ ...options, isUser })
    parse(content)
    for (const [key, type] of toPairs(content)) expect([key, type]).toEqual([key, types[key]])
    expect(
      toPairs(content)
        .map(([key]) => key)
        .includes('UserName'),
    ).toBe(!isUser)
  })

  test('the program and its arguments survive escaping', () => {
    const { plist } = parse(launchdPlist(options).content)
    expect(plist.dict.array.string).toEqual([...options.program, 'agent', 'run', '--config', options.config])
  })

  test('no secret is in the plist', () => {
    expect(launchdPlist(options).content).not.toContain('a-secret')
  })
})

describe('the Task Scheduler', () => {
  /** Of Microsoft's task schema: the elements that the file may have, their children or the form of their text. */
  const schema: Record<string, string[] | RegExp> = {
    Task: ['RegistrationInfo', 'Triggers', 'Settings', 'Data', 'Principals', 'Actions'],
    RegistrationInfo: ['URI', 'SecurityDescriptor', 'Source', 'Date', 'Author', 'Version', 'Description'],
    URI: /^\\/,
    Description: /./,
    Triggers: ['BootTrigger', 'LogonTrigger'],
    // A sequence: what all triggers have, then what this one adds.
    BootTrigger: ['Enabled', 'StartBoundary', 'EndBoundary', 'Repetition', 'ExecutionTimeLimit', 'Delay'],
    LogonTrigger: ['Enabled', 'StartBoundary', 'EndBoundary', 'Repetition', 'ExecutionTimeLimit', 'UserId', 'Delay'],
    Repetition: ['Interval', 'Duration', 'StopAtDurationEnd'],
    // From one minute to 31 days.
    Interval: /^PT\d+M$/,
    Principals: ['Principal'],
    Principal: ['UserId', 'LogonType', 'GroupId', 'DisplayName', 'RunLevel'],
    UserId: /^(?:[^\\]+\\)?[^\\]+$/,
    LogonType: /^(?:S4U|Password|InteractiveToken|InteractiveTokenOrPassword)$/,
    RunLevel: /^(?:LeastPrivilege|HighestAvailable)$/,
    Settings: [
      ...['AllowStartOnDemand', 'RestartOnFailure', 'MultipleInstancesPolicy', 'DisallowStartIfOnBatteries'],
      ...['StopIfGoingOnBatteries', 'AllowHardTerminate', 'StartWhenAvailable', 'WakeToRun', 'Enabled', 'Hidden'],
      ...['RunOnlyIfNetworkAvailable', 'ExecutionTimeLimit', 'Priority', 'RunOnlyIfIdle'],
    ],
    MultipleInstancesPolicy: /^(?:Parallel|Queue|IgnoreNew|StopExisting)$/,
    DisallowStartIfOnBatteries: /^(?:true|false)$/,
    StopIfGoingOnBatteries: /^(?:true|false)$/,
    StartWhenAvailable: /^(?:true|false)$/,
    ExecutionTimeLimit: /^P(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?$/,
    RestartOnFailure: ['Interval', 'Count'],
    // An unsigned byte of at least 1.
    Count: /^(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/,
    Actions: ['Exec'],
    Exec: ['Command', 'Arguments', 'WorkingDirectory'],
    Command: /./,
    Arguments: /./,
  }
  const sequences = ['BootTrigger', 'LogonTrigger']

  function check(name: string, value: string | Record<string, string>): void {
    const rule = schema[name]
    expect(rule, name).toBeDefined()
    if (rule instanceof RegExp) {
      expect(value, name).toMatch(rule)
      return
    }
    const children = Object.keys(value).filter((key) => !key.startsWith('@'))
    expect(rule, name).toEqual(expect.arrayContaining(children))
    if (sequences.includes(name)) expect(children).toEqual(rule!.filter((child) => children.includes(child)))
    for (const child of children) check(child, (value as Record<string, string>)[child]!)
  }

  test.each([{ isUser: true }, { isUser: false }, { isUser: false, env: {} }])(
    'the task follows the schema with %j',
    (changes) => {
      const { Task } = parse(windowsTask({ ...options, ...changes }).content)
      expect([Task['@version'], Task['@xmlns']]).toEqual([
        '1.4',
        'http://schemas.microsoft.com/windows/2004/02/mit/task',
      ])
      expect(Task.Actions['@Context']).toBe(Task.Principals.Principal['@id'])
      check('Task', Task)
    },
  )

  test('a task of the machine starts at boot without a log-in, and again after it ended', () => {
    const { Triggers, Principals, Settings } = parse(windowsTask({ ...options, isUser: false }).content).Task
    expect(Triggers).toEqual({ BootTrigger: { Repetition: { Interval: 'PT5M' } } })
    expect(Principals.Principal).toMatchObject({ UserId: String.raw`PC\me`, LogonType: 'S4U' })
    expect(Settings).toMatchObject({ ExecutionTimeLimit: 'PT0S', RestartOnFailure: { Interval: 'PT1M' } })
  })

  test('arguments are quoted as Windows reads them', () => {
    const config = 'C:\\Program Files\\relt\\'
    const { Exec } = parse(windowsTask({ ...options, config }).content).Task.Actions
    expect(Exec.Arguments).toBe('"/opt/R & D/relt.js" agent run --config "C:\\Program Files\\relt\\\\"')
  })
})
