import type { KeyScope } from '../../contract/api-key.ts'
import { webhookChannels } from '../../contract/channels.ts'
import type { RouteName } from '../../contract/routes.ts'
import type { TeamRole } from '../../contract/team.ts'
import { invalidParams, notFound } from '../../errors.ts'
import { createdFeedPage, createdKeyPage } from '../../html/pages/account.ts'
import type { Done } from '../../html/pages/done.ts'
import type { Call, ShownPage, View } from '../../html/pages/view.ts'
import { defined } from '../../util/defined.ts'
import { everyOf } from '../../util/every.ts'
import { matchPath } from '../../util/match-path.ts'

interface Submission {
  params: Record<string, string>
  fields: Record<string, string>
}

/** An action that a form of a page submits. Throws `ReltError`. */
type Action = { path: string } & (
  | {
      change: (call: Call, submitted: Submission) => Promise<unknown>
      /** The confirmation on the next page. */
      done: (fields: Record<string, string>) => Done
    }
  /** Redirects to a URL other than the form's, or returns a page with something shown only once. */
  | { lead: (call: Call, submitted: Submission, view: View) => Promise<string | ShownPage> }
)

/** Calls the service about what the path names. */
const callAbout =
  (name: RouteName) =>
  (call: Call, { params }: Submission) =>
    call(name, { params } as never)

/** Requests to these actions need the session's nonce. */
export const actions: readonly Action[] = [
  {
    path: '/projects/{id}/subscription',
    done: ({ wanted }) => (wanted === 'yes' ? 'followed' : 'unfollowed'),
    async change(call, { params, fields }) {
      const product_id = Number(params.id)
      const { subscribed_ids } = await call('getMySubscriptions', {})
      if (subscribed_ids.includes(product_id) !== (fields.wanted === 'yes')) {
        await call('toggleSubscription', { body: { product_id } })
      }
    },
  },
  {
    path: '/labels',
    done: () => 'label-created',
    change: (call, { fields: { label_name = '', label_color = '' } }) =>
      call('createLabel', { body: { label_name, label_color } }),
  },
  {
    path: '/subscriptions/{subscription_id}/labels',
    done: () => 'labels-changed',
    async change(call, { params, fields: { add, remove } }) {
      const subscription_id = params.subscription_id!
      if (remove) await call('detachLabel', { params: { subscription_id, label_id: remove } })
      if (add) await call('attachLabels', { params: { subscription_id }, body: { label_ids: [Number(add)] } })
    },
  },
  {
    path: '/clusters/{cluster_id}/labels',
    done: () => 'labels-changed',
    async change(call, { params, fields }) {
      const labels = (fields.labels ?? '').split(',').map((label) => label.trim())
      await call('updateCluster', {
        params: { cluster_id: params.cluster_id! },
        body: { labels: labels.filter((label) => label !== '') },
      })
    },
  },
  {
    path: '/clusters/{cluster_id}/interval',
    done: () => 'interval-changed',
    async change(call, { params, fields: { every = '' } }) {
      const seconds = every.trim() === '' ? null : everyOf(every)
      if (seconds === undefined) throw invalidParams({ every: 'must be an interval such as 24h or 7d, at most a year' })
      await call('updateCluster', { params: { cluster_id: params.cluster_id! }, body: { expected_every: seconds } })
    },
  },
  {
    path: '/exceptions',
    async lead(call, { fields: { fingerprint, reason = '', expires_on = '', next_release_of, applies_in } }) {
      if (!fingerprint) throw invalidParams({ fingerprint: 'is required' })
      const { all_clusters, cluster_name, environment } = Object.fromEntries(new URLSearchParams(applies_in))
      const { exception_id } = await call('createException', {
        body: {
          fingerprint,
          reason,
          expires_on,
          ...(next_release_of && { next_release_of: Number(next_release_of) }),
          ...(all_clusters ? { all_clusters: true } : defined({ cluster_name, environment })),
        },
      })
      return `/exceptions/${exception_id}?added=1`
    },
  },
  { path: '/exceptions/{exception_id}/expire', done: () => 'exception-ended', change: callAbout('expireException') },
  {
    path: '/account/keys',
    async lead(call, { fields: { name = '', scope = '', expires_on } }, view) {
      const expires_at = expires_on ? `${expires_on} 23:59:59` : undefined
      const body = { name, scope: scope as KeyScope, ...(expires_at && { expires_at }) }
      return createdKeyPage(view, await call('createKey', { body }))
    },
  },
  {
    path: '/account/webhooks/{channel}',
    done: ({ address }) => (address ? 'webhook-set' : 'webhook-removed'),
    async change(call, { params, fields: { address = '' } }) {
      const channel = webhookChannels.find(({ name }) => name === params.channel)
      if (!channel) throw notFound('channel', params.channel)
      await call('updateAccountSettings', { body: { [channel.field]: address } })
    },
  },
  {
    path: '/account/notifications',
    done: () => 'settings-saved',
    change: (call, { fields }) => call('updateAccountSettings', { body: settingsFor(fields) }),
  },
  {
    path: '/team/policy',
    done: ({ policy = '' }) => (policy.trim() === '' ? 'policy-removed' : 'policy-saved'),
    async change(call, { fields: { policy = '' } }) {
      // Forms submit CRLF line ends.
      const text = policy.replaceAll('\r\n', '\n')
      await call('setGatePolicy', { body: { policy: text.trim() === '' ? null : text } })
    },
  },
  {
    path: '/team/members',
    done: () => 'member-added',
    change: (call, { fields: { team_name = '', login = '', role = '' } }) =>
      call('addTeamMember', { params: { team: team_name }, body: { login, role: role as TeamRole } }),
  },
  {
    path: '/team/members/{login}/role',
    done: () => 'role-changed',
    change: (call, { params, fields: { team_name = '', role = '' } }) =>
      call('setTeamRole', { params: { team: team_name, login: params.login! }, body: { role: role as TeamRole } }),
  },
  {
    path: '/team/members/{login}/remove',
    done: () => 'member-removed',
    change: (call, { params, fields: { team_name = '' } }) =>
      call('removeTeamMember', { params: { team: team_name, login: params.login! } }),
  },
  { path: '/account/keys/{uuid}/revoke', done: () => 'key-revoked', change: callAbout('revokeKey') },
  {
    path: '/account/feeds',
    lead: async (call, _, view) => createdFeedPage(view, await call('createFeed', {})),
  },
  { path: '/account/feeds/{feed_id}/revoke', done: () => 'feed-revoked', change: callAbout('revokeFeed') },
]

/** The service's error names a setting that it rejects. */
function settingsFor(fields: Record<string, string>) {
  const texts = [
    'time_zone',
    'digest_weekday',
    'quiet_hours',
    'quiet_hours_except',
    'min_severity',
    'cluster_events',
    'cluster_scope',
    'owner_scope',
    'fleet_report',
  ]
  const settings: [string, unknown][] = [
    ...texts.map((each): [string, unknown] => [each, fields[each]]),
    ['digest_hour', fields.digest_hour === undefined ? undefined : Number(fields.digest_hour)],
    ['only_what_runs', fields.only_what_runs && fields.only_what_runs === 'yes'],
    ['cluster_mails', fields.cluster_mails && fields.cluster_mails === 'yes'],
  ]
  return Object.fromEntries(settings.filter(([, value]) => value !== undefined))
}

export const findAction = (path: string) => matchPath(actions, path)

/** Adds the page's confirmation to the URL. */
export function confirming(address: string, done: Done) {
  const url = new URL(address, 'http://relt.invalid')
  url.searchParams.set('done', done)
  return url.pathname + url.search
}

/** A URL of this server, else the start page: prevents redirects to other sites after sign-in. */
export function safeNext(next: string | undefined) {
  if (next === undefined || next.length > 2000 || !/^\/(?![/\\])[!-~]*$/.test(next)) return '/'
  const url = URL.parse(next, 'http://relt.invalid')
  // The path of `/..//host` is `//host`, which browsers treat as another host.
  const isOwn = url?.origin === 'http://relt.invalid' && !url.pathname.startsWith('//')
  return isOwn ? url.pathname + url.search : '/'
}
