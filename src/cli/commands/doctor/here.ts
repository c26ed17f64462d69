import { readFileSync } from 'node:fs'
import { arch, platform } from 'node:process'
import { bundledCatalogDate } from '../../../catalog/date.ts'
import { configFile, readConfig } from '../../../config/config-file.ts'
import { credentialsOfEnv } from '../../../config/select-server.ts'
import { ReltError } from '../../../errors.ts'
import { proxiesFor } from '../../../util/proxies.ts'
import { daySeconds } from '../../../util/time.ts'
import { version } from '../../../version.ts'
import type { DoctorCheck } from './line.ts'

export const checkProgram: DoctorCheck = () => [
  { check: 'program', state: 'ok', found: `relt ${version} on Node ${process.version}, ${platform} ${arch}` },
]

export const checkTerminal: DoctorCheck = ({ io }) => {
  const colors = io.color.bold('x') === 'x' ? 'no colors' : 'colors'
  const found = io.isTerminal ? `${io.width} columns, ${colors}` : 'none: output is plain text'
  return [{ check: 'terminal', state: 'ok', found }]
}

/** Throws if the settings are invalid. */
export const checkSettings: DoctorCheck = ({ context: { env } }) => {
  const { servers } = readConfig(env)
  credentialsOfEnv(env)
  return [{ check: 'settings', state: 'ok', found: `${configFile(env)}: servers ${servers.size}` }]
}

export const checkNetwork: DoctorCheck = ({ context: { env }, config }) => {
  const check = 'network'
  const { http, https, none } = proxiesFor(env)
  // Shows only the host, because a proxy URL may contain credentials.
  const host = (proxy: string) => URL.parse(proxy)?.host ?? 'an invalid address'
  const files = [env.RELT_CA_FILE || config?.settings.ca_file, env.NODE_EXTRA_CA_CERTS].filter((file) => !!file)
  for (const file of files) readFileSync(file!)
  const parts = [
    ...(http ? [`HTTP via ${host(http)}`] : []),
    ...(https ? [`HTTPS via ${host(https)}`] : []),
    ...(none && (http || https) ? [`except ${none}`] : []),
    ...(http || https ? [] : ['no proxy']),
    files.length > 0 ? `extra certificates from ${files.join(', ')}` : 'the default certificates',
  ]
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return [{ check, state: 'ok', found: parts.join(', ') }]
  const hint = 'Unset NODE_TLS_REJECT_UNAUTHORIZED and add your certificates: relt config set ca_file FILE'
  return [{ check, state: 'warn', found: 'server certificates are not verified', hint }]
}

const oldAfterDays = 180

export const checkCatalog: DoctorCheck = ({ context }) => {
  const check = 'catalog'
  const days = Math.floor((context.now() - Date.parse(bundledCatalogDate) / 1000) / daySeconds)
  const found = `projects and releases as of ${bundledCatalogDate}`
  if (days <= oldAfterDays) return [{ check, state: 'ok', found }]
  return [
    {
      check,
      state: 'warn',
      found: `${found}, ${days} days ago`,
      hint: 'Pull a newer one, or upgrade relt: relt catalog pull',
    },
  ]
}

export const checkScanner: DoctorCheck = async ({ context: { env } }) => {
  const { findRunners } = await import('../../../scan/runner.ts')
  const runners = await findRunners(env)
  const ready = runners.filter(({ file, lacks }) => file !== undefined && lacks === undefined)
  const lacking = runners.flatMap(({ lacks }) => (lacks === undefined ? [] : [lacks]))
  const [first] = ready
  const check = 'scanner'
  if (first) return [{ check, state: 'ok', found: ready.map(({ name }) => name).join(', ') }]
  const hint = 'Only `relt scan` needs one: kubebuddy, its PowerShell module or a container engine.'
  return [{ check, state: 'warn', found: lacking.join('; ') || 'none on this machine', hint }]
}

export const checkCluster: DoctorCheck = async ({ context: { env } }) => {
  const { findTarget } = await import('../../../kube/kubeconfig.ts')
  const { nameOf } = await import('../../../kube/cluster.ts')
  const check = 'cluster'
  try {
    return [{ check, state: 'ok', found: nameOf(findTarget(env, undefined)) }]
  } catch (error) {
    if (!(error instanceof ReltError)) throw error
    return [{ check, state: 'warn', found: error.message, hint: 'Only `relt scan` needs it.' }]
  }
}
