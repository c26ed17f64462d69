import * as z from 'zod/mini'
import * as ours from '../cluster-config.ts'
import { toPage } from '../shape.ts'
import { listUnder, maybeSuccess, objectUnder, received } from './received.ts'

/** Id of a length that a server generates. */
const config_id = z.string().check(z.regex(/^ccfg_[A-Za-z0-9-]{1,200}$/))

const base = z.extend(ours.ClusterConfig, { config_id })
/** Lists may omit notes and settings. */
const ListedConfig = received(z.extend(ours.ListedClusterConfig, { config_id }), ['name'])
export type ListedConfig = z.infer<typeof ListedConfig>
const AnyConfig = received(base, ['name'])
export type ReceivedClusterConfig = z.infer<typeof AnyConfig>
export const WholeConfig = objectUnder('name', ['config', 'profile', 'item'], received(base, ['name', 'settings']))

/** The answer to creating and changing a profile, whose form the published API does not describe. */
export const ChangedConfig = objectUnder(
  'config_id',
  ['config', 'profile', 'item'],
  received(z.extend(base, maybeSuccess), ['success']),
)

export const Configs = listUnder(
  ['items', 'configs', 'profiles'],
  received(z.extend(toPage(ListedConfig), maybeSuccess), ['success', 'items']),
)

export const ReceivedScanCommand = received(ours.ScanCommand, ['powershell_command', 'docker_env', 'yaml_filename'])
export type ReceivedScanCommand = z.infer<typeof ReceivedScanCommand>

const ReceivedBootstrapCandidate = received(ours.BootstrapCandidate, [])
export type ReceivedBootstrapCandidate = z.infer<typeof ReceivedBootstrapCandidate>
export const Candidates = listUnder(
  ['candidates', 'items'],
  z.object({ ...maybeSuccess, candidates: z.array(ReceivedBootstrapCandidate) }),
)

const Skipped = received(z.object({ cluster_name: z.string(), reason: z.string() }), [])
export const Bootstrap = listUnder(
  ['created', 'items', 'configs'],
  received(z.object({ ...maybeSuccess, created: z.array(AnyConfig), skipped: z.array(Skipped) }), ['success']),
)
