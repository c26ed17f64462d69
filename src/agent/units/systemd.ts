import { ReltError } from '../../errors.ts'
import { agentArgs, placesFor, type UnitFile, type UnitOptions, unitName } from './unit.ts'

/**
 * A system unit runs as a user that exists only while it runs, and writes only below `/var/lib/relt`. A user unit may write
 * in the home folder. Node compiles code at run time, so `MemoryDenyWriteExecute` is not possible. Throws `usage` if a
 * system unit would need a file in a home folder, which it cannot see.
 */
export function systemdUnit(options: UnitOptions): UnitFile {
  const { isUser, program, config } = options
  if (!isUser) for (const path of [...program, config]) refuseHome(path)
  const sections = {
    Unit: [
      'Description=relt agent: scans on schedule and reports from folders',
      ...(isUser ? [] : ['Wants=network-online.target', 'After=network-online.target']),
      // An invalid configuration stops the agent, which must restart once the file is corrected.
      'StartLimitIntervalSec=0',
    ],
    Service: [
      'Type=exec',
      `ExecStart=${[...program, ...agentArgs(config)].map(argument).join(' ')}`,
      'Restart=always',
      'RestartSec=10',
      'TimeoutStopSec=30',
      'KillMode=mixed',
      ...(isUser ? userPlaces(options) : systemPlaces(options)),
      ...hardening,
      ...(isUser ? userHardening : systemHardening),
    ],
    Install: [`WantedBy=${isUser ? 'default.target' : 'multi-user.target'}`],
  }
  return { path: `${unitName}.service`, content: unitText(sections) }
}

/**
 * The server of a package, on the same store as the agent. It starts with `RELT_SERVE_OPTIONS` from `/etc/relt/server.env`.
 */
export function systemdServerUnit(program: string, account: string): UnitFile {
  const sections = {
    Unit: ['Description=relt server', 'Wants=network-online.target', 'After=network-online.target'],
    Service: [
      'Type=exec',
      `ExecStart=${argument(program)} serve $RELT_SERVE_OPTIONS`,
      'ExecReload=kill -HUP $MAINPID',
      'Restart=on-failure',
      'RestartSec=10',
      'TimeoutStopSec=30',
      ...statePlaces(account, 'server'),
      ...hardening,
      ...systemHardening,
    ],
    Install: ['WantedBy=multi-user.target'],
  }
  return { path: 'relt-server.service', content: unitText(sections) }
}

function unitText(sections: Record<string, string[]>) {
  return Object.entries(sections)
    .map(([name, lines]) => `[${name}]\n${lines.join('\n')}\n`)
    .join('\n')
}

function statePlaces(account: string | undefined, name: 'agent' | 'server') {
  return [
    account === undefined ? 'DynamicUser=yes' : `User=${account}`,
    'StateDirectory=relt',
    'StateDirectoryMode=0700',
    'WorkingDirectory=%S/relt',
    'Environment=RELT_HOME=%S/relt HOME=%S/relt RELT_KEYCHAIN=off',
    'Environment=PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    // systemd reads it as root: secrets are neither in the unit nor readable by others.
    `EnvironmentFile=-/etc/relt/${name}.env`,
  ]
}

function systemPlaces({ account, kubeconfig }: UnitOptions) {
  return [
    ...statePlaces(account, 'agent'),
    ...(kubeconfig === undefined
      ? []
      : [`LoadCredential=${argument(`kubeconfig:${kubeconfig}`)}`, 'Environment=KUBECONFIG=%d/kubeconfig']),
  ]
}

function userPlaces(options: UnitOptions) {
  const places = placesFor(options).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`)
  const { RELT_HOME: home } = options.env
  return [
    ...places,
    'EnvironmentFile=-%E/relt/agent.env',
    'ReadWritePaths=%h',
    ...(home ? [`ReadWritePaths=${quoted(home)}`] : []),
  ]
}

const hardening = [
  'UMask=0077',
  'NoNewPrivileges=yes',
  'ProtectSystem=strict',
  'PrivateTmp=yes',
  'ProtectClock=yes',
  'ProtectControlGroups=yes',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'LockPersonality=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'RestrictNamespaces=yes',
  'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallFilter=~@privileged @resources',
  // A denied system call returns an error, which Node and kubectl handle, instead of killing the process.
  'SystemCallErrorNumber=EPERM',
  'CapabilityBoundingSet=',
  'AmbientCapabilities=',
]

const systemHardening = [
  'PrivateDevices=yes',
  'PrivateUsers=yes',
  'ProtectHome=tmpfs',
  'ProtectProc=invisible',
  'RemoveIPC=yes',
  'DevicePolicy=closed',
]

const userHardening = ['PrivateUsers=yes', 'PrivateDevices=yes', 'ProtectProc=invisible', 'DevicePolicy=closed']

function refuseHome(path: string) {
  if (!/^\/(home|root|run\/user)\//.test(path)) return
  throw new ReltError('usage', `${path} is in a home folder, which a system service cannot read.`, {
    hint: 'Move it, for example below /opt and /etc/relt, or use --user.',
  })
}

/** A word of `ExecStart`, with `$` and `%` escaped. */
function argument(text: string) {
  return /^[\w./:=@+-]+$/.test(text) ? text : quoted(text.replaceAll('$', () => '$$'))
}

function quoted(text: string) {
  if (/[\n\r]/.test(text)) throw new ReltError('usage', `${JSON.stringify(text)} has a line break.`)
  return `"${text.replace(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`
}
