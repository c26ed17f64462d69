import { mkdirSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, posix } from 'node:path'
import { InvalidArgumentError } from 'commander'
import type { AgentConfig, AgentJob } from '../../../agent/config.ts'
import { encodeUnit, type UnitFile } from '../../../agent/units/unit.ts'
import { ReltError } from '../../../errors.ts'
import { fileReason } from '../../../util/file-error.ts'
import { version } from '../../../version.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { say, warn } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { verb } from '../../program/verb.ts'
import { installOptions, unitOptions } from './unit-options.ts'

const targets = ['kubernetes', 'systemd', 'launchd', 'windows', 'winsw'] as const

const options = {
  ...unitOptions,
  '--out <folder>': 'write the files to this folder; Kubernetes: as a Kustomize base',
  '--program <file>': 'absolute path of relt on the machine of the service (default: this relt)',
  '--form <form>': { help: 'Kubernetes: kind of workload (default: deployment)', choices: ['deployment', 'cronjob'] },
  '--image <image>': 'Kubernetes: image with relt, kubectl and the scanner',
  '--namespace <name>': { help: 'Kubernetes: namespace (default: relt)', parse: namespaceName },
  '--server-port <port>': { help: 'Kubernetes: port of your relt server (default: 443)', parse: wholeNumber(65_535) },
  '--ca-bundle <configmap>': {
    ...{ help: 'Kubernetes: ConfigMap with trusted certificates in its key ca.crt', parse: objectName },
  },
  '--openshift': 'Kubernetes: for OpenShift, which assigns user and groups',
  '--node-local-dns [address]': 'Kubernetes: allow a resolver on the nodes (default: 169.254.20.10)',
  '--pod-monitor': 'Kubernetes: a PodMonitor for the Prometheus operator; needs health_port and health_host',
  '--with <kinds>': { help: 'Kubernetes: kinds that the role allows, too, such as secrets', parse: kindNames },
  '--without <kinds>': { help: 'Kubernetes: kinds of the scanner that the role leaves out', parse: kindNames },
} as const

type ManifestsOptions = OptionsOf<typeof options>

export default verb({
  name: 'manifests',
  summary: 'Print the files that run the agent as a service',
  examples: [
    'relt agent manifests systemd --user',
    'relt agent manifests kubernetes --config agent.yaml --image registry.example/relt:1 | kubectl apply -f -',
    'relt agent manifests kubernetes --form cronjob --out deploy/relt-agent',
    'relt agent manifests kubernetes --image registry.example/relt:1 --with secrets --without configmaps,events',
    'relt agent manifests kubernetes --image registry.example/relt:1 --openshift --ca-bundle company-ca',
  ],
  args: [['<for>', 'service manager', { choices: targets }]],
  options,
  run: async (cli, target, options) => {
    const files =
      target === 'kubernetes' ? await toKubernetesFiles(cli, options) : [await toUnitFile(cli, target, options)]
    const { out } = options
    if (out !== undefined) {
      writeFiles(out, files)
      say(cli, `Wrote ${files.map(({ path }) => join(out, path)).join(', ')}`)
    }
    const body = { success: true, files: files.map(({ path, content }) => ({ path, content })) }
    await show(cli, {
      body,
      ...(out === undefined && { verbatim: files.map(({ content }) => printed(content)).join('---\n') }),
    })
  },
})

async function toUnitFile(
  cli: Cli,
  target: Exclude<(typeof targets)[number], 'kubernetes'>,
  options: ManifestsOptions,
): Promise<UnitFile> {
  const platforms = { systemd: 'linux', launchd: 'darwin', windows: 'win32', winsw: 'win32' } as const
  const unit = await installOptions(cli, options, platforms[target])
  if (options.program !== undefined) unit.program = [options.program]
  if (target === 'systemd') return (await import('../../../agent/units/systemd.ts')).systemdUnit(unit)
  if (target === 'launchd') return (await import('../../../agent/units/launchd.ts')).launchdPlist(unit)
  const { windowsTask, winswFile } = await import('../../../agent/units/windows.ts')
  return target === 'windows' ? windowsTask(unit) : winswFile(unit)
}

/** On standard output, the configuration is an object in the one YAML stream; in a folder it is a file. */
async function toKubernetesFiles(cli: Cli, options: ManifestsOptions): Promise<UnitFile[]> {
  const [
    { readAgentConfig, readConfigText, agentConfigFile },
    { configSecret, kubernetesFiles, kustomization },
    { manifestYaml },
  ] = await Promise.all([
    import('../../../agent/read-config.ts'),
    import('../../../agent/units/kubernetes.ts'),
    // A dynamically imported CommonJS package has no named exports in the bundle.
    import('./manifest-yaml.ts'),
  ])
  const file = options.config ?? agentConfigFile(cli.context.env)
  const config = readAgentConfig(file)
  const { jobs } = config
  const { image = `relt:${version}`, namespace = 'relt', form = 'deployment', serverPort = 443 } = options
  if (options.image === undefined) warn(cli.io, `relt publishes no image. Build one as ${image}, or pass --image.`)
  await checkJobs(cli, jobs, options)
  const access = { with: options.with, without: options.without }
  const wanted = {
    ...{ form, jobs, config: readConfigText(file), image, namespace, serverPort, access },
    ...placeOptions(options),
    ports: toPorts(config),
    metricsPort: toMetricsPort(config, options),
  }
  const objects = kubernetesFiles(wanted)
  const written = objects.map(({ path, objects }) => ({ path, content: manifestYaml(objects) }))
  if (options.out === undefined) {
    const [first, ...rest] = written
    return [first!, { path: 'config.yaml', content: manifestYaml([configSecret(wanted)]) }, ...rest]
  }
  return [
    { path: 'kustomization.yaml', content: manifestYaml([kustomization(objects, wanted)]) },
    { path: 'agent.yaml', content: wanted.config },
    ...written,
  ]
}

/** Warns about resources that the jobs cannot access in the pod. Throws `usage` for kinds of resources that no job reads. */
async function checkJobs({ io }: Cli, jobs: AgentJob[], options: ManifestsOptions): Promise<void> {
  const [{ accessFor, pathsFor }, { checksOnSecrets, unknownKinds }] = await Promise.all([
    import('../../../agent/sources/index.ts'),
    import('../../../agent/units/rbac.ts'),
  ])
  for (const path of pathsOutsideVolume(jobs, pathsFor))
    warn(io, `The pod has no ${path}. Use a path below /data, or mount it.`)
  requireKnown(unknownKinds(accessFor(jobs), options.without ?? []))
  if (jobs.some(({ profile }) => profile !== undefined) && !options.with?.includes('secrets'))
    warn(
      io,
      `The role reads no secrets, so these checks do not run: ${checksOnSecrets.join(', ')}. Allow them with --with secrets.`,
    )
}

function placeOptions({ caBundle, openshift = false, nodeLocalDns }: ManifestsOptions) {
  const resolver = nodeLocalDns === true ? '169.254.20.10' : nodeLocalDns
  if (typeof resolver === 'string' && isIP(resolver) === 0)
    throw new ReltError('usage', `--node-local-dns: ${resolver} is no IP address.`)
  return { caBundle, isOpenshift: openshift, nodeLocalDns: resolver || undefined }
}

/** Ports of heartbeat URLs, and of the servers in the jobs. */
function toPorts({ heartbeat, jobs }: Pick<AgentConfig, 'heartbeat' | 'jobs'>): number[] {
  const addresses = [heartbeat, ...jobs.flatMap((job) => [job.heartbeat, job.server])]
  return addresses.flatMap((address) => {
    const url = address?.includes('://') && URL.canParse(address) ? new URL(address) : undefined
    if (!url) return []
    return url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port)
  })
}

/** The port for metrics; undefined for 127.0.0.1, which is unreachable from outside the pod. */
function toMetricsPort(
  { health_port, health_host = '127.0.0.1' }: Pick<AgentConfig, 'health_port' | 'health_host'>,
  { podMonitor, form }: ManifestsOptions,
): number | undefined {
  if (!podMonitor) return undefined
  if (form === 'cronjob')
    throw new ReltError('usage', '--pod-monitor is for the form deployment: a job ends before it is scraped.')
  if (health_port !== undefined && health_host !== '127.0.0.1') return health_port
  throw new ReltError('usage', '--pod-monitor needs a port that the pod serves.', {
    hint: 'Set health_port: 9464 and health_host: 0.0.0.0 in agent.yaml.',
  })
}

function requireKnown([unknown]: string[]): void {
  if (unknown === undefined) return
  throw new ReltError('usage', `No job of agent.yaml reads ${unknown}.`, {
    hint: 'Name a kind of the role, such as configmaps or nodes.metrics.k8s.io.',
  })
}

/** Parses `secrets,certificates.cert-manager.io`. */
function kindNames(text: string): string[] {
  const kinds = text.split(',').map((kind) => kind.trim())
  const bad = kinds.find((kind) => !/^[a-z][a-z0-9]*(?:\.[a-z0-9-]+)*$/.test(kind))
  if (bad !== undefined)
    throw new InvalidArgumentError('use plural names, such as secrets or gateways.gateway.networking.k8s.io')
  return kinds
}

/** Paths outside the pod's only volume. */
function pathsOutsideVolume(jobs: AgentJob[], pathsFor: (job: AgentJob) => string[]): string[] {
  const paths = jobs.flatMap((job) => [...pathsFor(job), job.gate ?? [], job.keep_reports ?? []].flat())
  return [...new Set(paths)].filter((path) => !posix.normalize(path).startsWith('/data/'))
}

/** Never overwrites a file: files in the folder may have been edited. */
function writeFiles(folder: string, files: UnitFile[]): void {
  try {
    mkdirSync(folder, { recursive: true })
    for (const { path, content } of files) writeFileSync(join(folder, path), encodeUnit(content), { flag: 'wx' })
  } catch (cause) {
    throw new ReltError('usage', `The files cannot be written to ${folder}: ${fileReason(cause)}.`, {
      hint: 'Name a new folder.',
      cause,
    })
  }
}

/**
 * Removes the XML encoding declaration: a pipe or shell decides the encoding, and readers detect UTF-16 by its byte order
 * mark.
 */
const printed = (content: string): string => content.replace(' encoding="UTF-16"', '')

function objectName(text: string): string {
  if (/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/.test(text)) return text
  throw new InvalidArgumentError('use the name of a ConfigMap')
}

function namespaceName(text: string): string {
  if (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) return text
  throw new InvalidArgumentError('use lower-case letters, digits and dashes')
}
