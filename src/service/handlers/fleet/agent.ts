import { write } from '../../../db/transaction.ts'
import { listAgents, saveHeartbeat } from '../../../store/fleet/agent.ts'
import { listSilentClusters } from '../../../store/fleet/silence.ts'
import { version } from '../../../version.ts'
import type { Handlers } from '../../handler.ts'

export const agentHandlers: Handlers<'agent'> = {
  async agentHeartbeat({ db, now }, { body, owner }) {
    await write(db, `owner:${owner.id} agents`, (trx) => saveHeartbeat(trx, owner.id, body, now))
    return { success: true, server_version: version }
  },

  async listAgents({ db }, { owner }) {
    const [items, silent_clusters] = [await listAgents(db, owner.id), await listSilentClusters(db, owner.id)]
    return { success: true, items, silent_clusters }
  },
}
