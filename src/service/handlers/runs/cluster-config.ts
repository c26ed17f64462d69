import type { ClusterConfig } from '../../../contract/cluster-config.ts'
import { ReltError } from '../../../errors.ts'
import { bootstrapConfigs, findBootstrapCandidates } from '../../../operations/runs/bootstrap-configs.ts'
import {
  newConfig,
  openConfig,
  requireRoomForConfig,
  requireSmallSettings,
  sealConfig,
  summarizeConfig,
} from '../../../operations/runs/cluster-config.ts'
import { checkProfile, configurationFile, generateCommands } from '../../../profiles/index.ts'
import {
  deleteConfig,
  getConfig,
  insertConfig,
  listConfigSummaries,
  listConfigs,
  replaceConfig,
} from '../../../store/runs/cluster-config.ts'
import { defined } from '../../../util/defined.ts'
import { type CheckedRequest, change, type HandlerContext, type Handlers } from '../../handler.ts'

export const clusterConfigHandlers: Handlers<'cluster-config'> = {
  async listConfigs({ db, vault }, { query, owner }) {
    const choice = { page: query.page, perPage: query.per_page }
    if (query.include === 'settings') {
      const found = await listConfigs(db, owner.id, choice)
      const keeper = found.items.length > 0 ? await vault() : undefined
      return { success: true, ...found, items: found.items.map((stored) => openConfig(keeper!, stored)) }
    }
    const found = await listConfigSummaries(db, owner.id, choice)
    return { success: true, ...found, items: found.items.map(summarizeConfig) }
  },

  async createConfig({ vault, now, plans }, { body, owner }) {
    const config = newConfig(body, now)
    checkProfile(config)
    requireSmallSettings(config, owner, plans[owner.plan])
    const sealed = sealConfig(await vault(), config)
    return change(`owner:${owner.id} profiles`, async (trx) => {
      await requireRoomForConfig(trx, owner, plans[owner.plan])
      await insertConfig(trx, owner.id, sealed)
      return { success: true, ...config }
    })
  },

  getConfig: readConfig,

  async updateConfig({ vault, now, plans }, { params, body, owner }) {
    const keeper = await vault()
    return change(`owner:${owner.id} profiles`, async (trx) => {
      const old = openConfig(keeper, await getConfig(trx, owner.id, params.config_id))
      const given = defined(body)
      const changed = { ...newConfig({ ...old, ...given }, now), config_id: old.config_id, created_at: old.created_at }
      checkChange(changed, { provider: 'kubernetes', settings: {}, ...given, name: changed.name })
      requireSmallSettings(changed, owner, plans[owner.plan])
      await replaceConfig(trx, owner.id, sealConfig(keeper, changed))
      return { success: true, ...changed }
    })
  },

  async deleteConfig(_, { params, owner }) {
    return change(`owner:${owner.id} profiles`, async (trx) => {
      await deleteConfig(trx, owner.id, params.config_id)
      return { success: true }
    })
  },

  async getConfigCommand(context, request) {
    return generateCommands(await readConfig(context, request), request.server)
  },

  async getConfigFile(context, request) {
    const { filename, content, configuration } = configurationFile(await readConfig(context, request), request.server)
    // The native scanner parses the whole body as its configuration, and JSON is valid YAML.
    return { filename, content, content_type: 'application/yaml', ...configuration }
  },

  async listBootstrapCandidates({ db }, { owner }) {
    return { success: true, candidates: await findBootstrapCandidates(db, owner.id) }
  },

  async bootstrapConfigs({ vault, now, plans }, { body, owner }) {
    const wanted = { clusterNames: body.cluster_names, environment: body.environment }
    const maker = { owner, limits: plans[owner.plan], vault: await vault(), now }
    return change(`owner:${owner.id} profiles`, async (trx) => ({
      success: true,
      ...(await bootstrapConfigs(trx, wanted, maker)),
    }))
  },
}

/** A valid change may still conflict with the rest of the profile. */
function checkChange(changed: ClusterConfig, given: Parameters<typeof newConfig>[0]) {
  try {
    checkProfile(changed)
  } catch (error) {
    checkProfile(newConfig(given, 0))
    const { params = {} } = error as ReltError
    const reasons = Object.entries(params).map(([name, reason]) => `${name}: ${reason}`)
    throw new ReltError('conflict', `The stored profile does not allow this change. ${reasons.join('; ')}.`, { params })
  }
}

async function readConfig(
  { db, vault }: HandlerContext,
  { params, owner }: Pick<CheckedRequest<'getConfig'>, 'params' | 'owner'>,
) {
  return openConfig(await vault(), await getConfig(db, owner.id, params.config_id))
}
