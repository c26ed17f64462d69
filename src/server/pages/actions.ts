import type { FeedInput } from '../../contract/feed.ts'
import { invalidParams } from '../../errors.ts'
import { createdFeedPage } from '../../html/pages/account.ts'
import type { Call, ShownPage, View } from '../../html/pages/view.ts'
import { matchPath } from './match-path.ts'

interface Submission {
  params: Record<string, string>
  fields: Record<string, string>
}

/** What a form of a page changes. */
interface Action {
  path: string
  /**
   * Returns the address to show next, where it is not that of the form, or a page of something that is shown only once.
   * Throws `ReltError`.
   */
  run: (call: Call, submitted: Submission, view: View) => Promise<string | ShownPage | undefined>
}

/** Calls of these forms need the nonce of the session. */
export const actions: readonly Action[] = [
  {
    path: '/projects/{id}/subscription',
    async run(call, { params, fields }) {
      const product_id = Number(params.id)
      const { subscribed_ids } = await call('getMySubscriptions', {})
      if (subscribed_ids.includes(product_id) !== (fields.wanted === 'yes')) {
        await call('toggleSubscription', { body: { product_id } })
      }
      return undefined
    },
  },
  {
    path: '/labels',
    async run(call, { fields: { label_name = '', label_color = '' } }) {
      await call('createLabel', { body: { label_name, label_color } })
      return undefined
    },
  },
  {
    path: '/subscriptions/{subscription_id}/labels',
    async run(call, { params, fields: { add, remove } }) {
      const subscription_id = params.subscription_id!
      if (remove) await call('detachLabel', { params: { subscription_id, label_id: remove } })
      if (add) await call('attachLabels', { params: { subscription_id }, body: { label_ids: [Number(add)] } })
      return undefined
    },
  },
  {
    path: '/clusters/{cluster_id}/labels',
    async run(call, { params, fields }) {
      const labels = (fields.labels ?? '').split(',').map((label) => label.trim())
      await call('updateCluster', {
        params: { cluster_id: params.cluster_id! },
        body: { labels: labels.filter((label) => label !== '') },
      })
      return undefined
    },
  },
  {
    path: '/exceptions',
    async run(call, { fields: { fingerprint, reason = '', expires_on = '' } }) {
      if (!fingerprint) throw invalidParams({ fingerprint: 'is required' })
      const { exception_id } = await call('createException', { body: { fingerprint, reason, expires_on } })
      return `/exceptions/${exception_id}?added=1`
    },
  },
  {
    path: '/exceptions/{exception_id}/expire',
    async run(call, { params }) {
      await call('expireException', { params: { exception_id: params.exception_id! } })
      return undefined
    },
  },
  {
    path: '/deliveries/{delivery_id}/retry',
    async run(call, { params }) {
      await call('retryDelivery', { params: { delivery_id: params.delivery_id! } })
      return undefined
    },
  },
  {
    path: '/deliveries/{delivery_id}/drop',
    async run(call, { params }) {
      await call('dropDelivery', { params: { delivery_id: params.delivery_id! } })
      return undefined
    },
  },
  {
    path: '/account/keys/{uuid}/revoke',
    async run(call, { params }) {
      await call('revokeKey', { params: { uuid: params.uuid! } })
      return undefined
    },
  },
  {
    path: '/account/feeds',
    async run(call, { fields: { kind, cluster_name, environment } }, view) {
      const isChanges = kind === 'changes'
      if (isChanges && !cluster_name) throw invalidParams({ cluster_name: 'is required for a feed of changes' })
      const cluster = isChanges && { cluster_name, ...(environment && { environment }) }
      return createdFeedPage(view, await call('createFeed', { body: { kind, ...cluster } as FeedInput }))
    },
  },
  {
    path: '/account/feeds/{feed_id}/revoke',
    async run(call, { params }) {
      await call('revokeFeed', { params: { feed_id: params.feed_id! } })
      return undefined
    },
  },
]

export const findAction = (path: string) => matchPath(actions, path)

/** An address of this server, else the start page: a link must not lead elsewhere after the sign-in. */
export function safeNext(next: string | undefined): string {
  if (next === undefined || next.length > 2000 || !/^\/(?![/\\])[!-~]*$/.test(next)) return '/'
  const url = URL.parse(next, 'http://relt.invalid')
  // The path of `/..//host` is `//host`, which browsers take for another host.
  const isOwn = url?.origin === 'http://relt.invalid' && !url.pathname.startsWith('//')
  return isOwn ? url.pathname + url.search : '/'
}
