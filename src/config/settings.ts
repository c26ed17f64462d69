import { parseClusterName } from './cluster-name.ts'

/** All settings of `relt config`, with their parsers. */

interface Setting<T> {
  summary: string
  /** Throws an `Error` that says what is required. */
  parse: (text: string) => T
  /** Text shown if it is not set. */
  usually: string
}

export const settings = {
  server: {
    summary: 'current server; local for the store on this machine',
    parse: readServerName,
    usually: 'local',
  },
  cluster: {
    summary: 'current cluster, such as prod-eu or prod-eu/prod',
    parse: clusterName,
    usually: 'RELT_CLUSTER, else the only cluster',
  },
  environments: {
    summary: 'environments that upgrade plans of several clusters take first, such as dev,staging,prod',
    parse: line,
    usually: 'RELT_ENVIRONMENTS, else by name: development, test, staging, others, production',
  },
  output: {
    summary: 'default output format',
    // The command line validates the format's name.
    parse: line,
    usually: 'table',
  },
  timeout: { summary: 'limit of a call in seconds, including retries', parse: wholeUpTo(3600), usually: '120' },
  ca_file: {
    summary: 'PEM file with additional trusted certificates',
    parse: line,
    usually: 'none',
  },
  spool_max_size_mb: {
    summary: 'maximum size of the spool in megabytes',
    parse: wholeUpTo(1_000_000),
    usually: '1024',
  },
  log_level: {
    summary: 'log level of relt serve; reloaded on SIGHUP, as are the next three and environments',
    parse: (text: string) => oneOf(text, ['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    usually: 'info',
  },
  rate_limit_user: { summary: 'requests per minute and user; 0 for no limit', parse: count, usually: '600' },
  rate_limit_address: { summary: 'requests per minute and address; 0 for no limit', parse: count, usually: '300' },
  plan_limits: { summary: 'limits of plans, as in RELT_PLAN_LIMITS', parse: line, usually: 'none' },
  time_zone: {
    summary: 'time zone of relt serve, such as Europe/Berlin: findings are new since 8:00 there',
    parse: line,
    usually: 'RELT_TIME_ZONE, else that of the machine',
  },
} as const satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof settings
export type ConfigSettings = { [N in SettingName]?: ReturnType<(typeof settings)[N]['parse']> }

/** Settings of one server: `servers.NAME.ca_file`. */
export const serverSettings = {
  insecure_http: { summary: 'allow plain HTTP, which exposes credentials', parse: flag, usually: 'false' },
  ca_file: settings.ca_file,
} as const satisfies Record<string, Setting<unknown>>

export type ServerSettingName = keyof typeof serverSettings

export function readServerName(text: string) {
  if (/^[a-z0-9][a-z0-9._-]{0,59}$/i.test(text)) return text
  throw new Error('a name of letters, digits, dot, hyphen and underscore, at most 60')
}

function clusterName(text: string) {
  parseClusterName(text)
  return text
}

function oneOf<T extends string>(text: string, choices: T[]) {
  const choice = choices.find((each) => each === text)
  if (choice === undefined) throw new Error(`one of ${choices.join(', ')}`)
  return choice
}

function flag(text: string) {
  return oneOf(text, ['true', 'false']) === 'true'
}

function wholeUpTo(most: number) {
  return (text: string) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && text.length <= `${most}`.length && value >= 1 && value <= most) return value
    throw new Error(`a whole number from 1 to ${most}`)
  }
}

function count(text: string) {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error('a whole number')
}

function line(text: string) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/^[^\u0000-\u001f\u007f-\u009f]{1,1000}$/.test(text)) return text
  throw new Error('one line of text')
}
