import { expect } from 'vitest'
import { forbidden, list, type Row, refused, text, unauthenticated, unknown } from './walk.ts'

const catalogPaths = [
  '/projects',
  '/projects/{project}',
  '/projects/{project}/releases',
  '/stats',
  '/recent-releases',
  '/popular-projects',
]
const ownPaths = ['/subscriptions', '/feed', '/dashboard', '/dashboard-activity', '/dashboard-logs', '/labels']
const clusterPaths = [
  '/cluster-reports',
  '/cluster-reports/trends',
  '/cluster-configs',
  '/cluster-configs/bootstrap-candidates',
]
const basic = (login: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
})
const batch = { ask: 'POST /api/batch/v1', status: 207 }
const part = { path: '/relt/v1/toggle-sub', body: { product_id: 999_999 } }
const createLabel = (label_color: string) => ({
  path: '/relt/v1/labels',
  body: { label_name: 'of a batch', label_color },
})

/** Authentication (lines 256–264). */
export const authentication: Row[] = [
  { line: 258, says: 'HTTP Basic signs in', ask: 'GET /dashboard', has: { user_login: 'ada' } },
  {
    line: 258,
    says: 'an e-mail address is no username',
    as: 'nobody',
    ask: 'GET /dashboard',
    headers: basic('ada@shop.example', 'x'),
    ...unauthenticated,
  },
  {
    line: 259,
    says: 'a key is made',
    ask: 'POST /api-keys',
    body: { name: 'second' },
    has: { password: expect.stringContaining(' ') },
    keep: { lost: 'item.uuid' },
  },
  { line: 259, says: 'a lost key is revoked', ask: 'DELETE /api-keys/{lost}', has: { success: true } },
  {
    line: 259,
    says: 'and replaced',
    ask: 'POST /api-keys',
    body: { name: 'third' },
    has: { password: text },
    keep: { third: 'item.uuid' },
  },
  { line: 260, says: 'a session with a nonce signs in', as: 'fay', ask: 'GET /dashboard', has: { user_login: 'fay' } },
  {
    line: 261,
    says: 'Free accounts create no keys',
    as: 'fay',
    ask: 'POST /api-keys',
    body: { name: 'x' },
    ...forbidden,
  },
  ...catalogPaths.map(
    (path): Row => ({ line: 261, says: `a Free session reads ${path}`, as: 'fay', ask: `GET ${path}` }),
  ),
  ...ownPaths.map(
    (path): Row => ({
      line: 262,
      says: `${path} needs authentication`,
      as: 'nobody',
      ask: `GET ${path}`,
      ...unauthenticated,
    }),
  ),
  ...['/toggle-sub', '/update-settings', '/test-notification', '/labels'].map(
    (path): Row => ({
      ...{ line: 262, says: `POST ${path} needs authentication`, as: 'nobody' as const, ask: `POST ${path}` },
      ...{ body: {}, ...unauthenticated },
    }),
  ),
  {
    line: 262,
    says: "only the caller's own data",
    as: 'eve',
    ask: 'GET /subscriptions',
    has: { subscriptions: [], subscription_count: 0 },
  },
  {
    line: 262,
    says: "not another's subscription",
    as: 'eve',
    ask: 'POST /update-settings',
    body: { subscription_id: '{subscription}' },
    ...unknown,
  },
  { line: 262, says: "not another's label", as: 'eve', ask: 'DELETE /labels/{label}', ...unknown },
  ...clusterPaths.map(
    (path): Row => ({ line: 262, says: `${path} needs Pro`, as: 'fay', ask: `GET ${path}`, ...forbidden }),
  ),
  ...catalogPaths.map(
    (path): Row => ({
      line: 263,
      says: `anonymous requests of ${path} are answered, to be cached`,
      as: 'nobody',
      ask: `GET ${path}`,
      check: ({ headers }) => expect(headers.get('cache-control')).toContain('public'),
    }),
  ),
  {
    line: 263,
    says: 'an anonymous caller has no subscriptions',
    as: 'nobody',
    ask: 'GET /my-subscriptions',
    has: { subscribed_ids: [] },
  },
  { line: 264, says: 'a key can be revoked', ask: 'DELETE /api-keys/{third}', has: { success: true } },
]

/** Events and errors (lines 266–283). */
export const errors: Row[] = [
  {
    line: 268,
    says: 'a test of the webhooks',
    ask: 'POST /test-notification',
    body: { channel: 'slack' },
    has: { results: [{ channel: 'slack' }] },
  },
  {
    line: 272,
    says: 'an error has a code and a message',
    ask: 'GET /nothing',
    status: 404,
    has: { code: text, message: text },
  },
  {
    line: 276,
    says: 'an invalid parameter is named',
    ask: 'GET /projects?page=x&per_page=x',
    ...refused('page', 'per_page'),
  },
  { line: 276, says: 'a missing field is named', ask: 'POST /toggle-sub', body: {}, ...refused('product_id') },
  { line: 277, says: 'missing credentials', as: 'nobody', ask: 'GET /dashboard', ...unauthenticated },
  {
    line: 277,
    says: 'invalid credentials',
    as: 'nobody',
    ask: 'GET /dashboard',
    headers: basic('ada', 'wrong'),
    ...unauthenticated,
  },
  {
    line: 278,
    says: 'a plan restriction says so',
    as: 'fay',
    ask: 'GET /cluster-reports',
    status: 403,
    has: { code: 'rest_forbidden', message: expect.stringContaining('API access requires a Pro plan') },
  },
  { line: 278, says: 'a role restriction', ask: 'GET /existing-releases', ...forbidden },
  ...[0, 1, 2, 3, 4].map(
    (i): Row => ({
      line: 278,
      says: `up to the limit: ${i + 1}`,
      as: 'fay',
      ask: 'POST /toggle-sub',
      body: { product_id: `{listed${i}}` },
      has: { subscribed: true },
    }),
  ),
  {
    line: 278,
    says: 'a subscription limit',
    as: 'fay',
    ask: 'POST /toggle-sub',
    body: { product_id: '{listed5}' },
    ...forbidden,
  },
  { line: 279, says: 'an unknown route', ask: 'GET /nothing', ...unknown },
  { line: 279, says: 'an unknown id', ask: 'GET /projects/999999', ...unknown },
]

/** Limits and versions (lines 285–306). Bounds of parameters are with their routes. */
export const limits: Row[] = [
  ...['/projects', '/projects/{project}/releases', '/cluster-reports'].map(
    (path): Row => ({ line: 289, says: `per_page of ${path}`, ask: `GET ${path}`, has: { per_page: 20 } }),
  ),
  { line: 290, says: 'limit of recent releases', ask: 'GET /recent-releases', has: { releases: [{}, {}] } },
  {
    line: 291,
    says: 'limit of popular projects',
    ask: 'GET /popular-projects',
    check: ({ body }) => expect(body.projects.length).toBeLessThanOrEqual(10),
  },
  { line: 292, says: 'days of the activity', ask: 'GET /dashboard-activity', has: { days: 7 } },
  {
    line: 293,
    says: 'limit of the logs',
    ask: 'GET /dashboard-logs',
    check: ({ body }) => expect(body.logs.length).toBeLessThanOrEqual(8),
  },
  { line: 294, says: 'days of trends', ask: 'GET /cluster-reports/trends', has: { window_days: 30 } },
  { line: 295, says: 'Pro has 3 keys', as: 'pat', ask: 'GET /api-keys', has: { limit: 3, count: 1, remaining: 2 } },
  ...[2, 3].map(
    (count): Row => ({
      line: 295,
      says: `key ${count} of Pro`,
      as: 'pat',
      ask: 'POST /api-keys',
      body: { name: `key ${count}` },
      has: { success: true },
    }),
  ),
  {
    line: 227,
    says: 'a key beyond the limit is refused',
    as: 'pat',
    ask: 'POST /api-keys',
    body: { name: 'beyond' },
    ...forbidden,
  },
  { line: 295, says: 'Pro Plus has 10 keys', ask: 'GET /api-keys', has: { limit: 10 } },
  {
    line: 296,
    says: '25 parts',
    ...batch,
    body: { requests: Array(25).fill(part) },
    check: ({ body }) => expect(body.responses).toHaveLength(25),
  },
  { line: 296, says: 'not 26', ...batch, body: { requests: Array(26).fill(part) }, ...refused('requests') },
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map(
    (method): Row => ({
      line: 296,
      says: `a part may be ${method}`,
      ...batch,
      body: { requests: [{ ...part, method }] },
      has: { responses: [{ status: expect.any(Number) }] },
    }),
  ),
  {
    line: 296,
    says: 'a part may not be GET',
    ...batch,
    body: { requests: [{ ...part, method: 'GET' }] },
    ...refused('method'),
  },
  {
    line: 296,
    says: 'normal by default: the valid part is done',
    ...batch,
    body: { requests: [createLabel('red'), createLabel('#000000')] },
    has: { responses: [{ status: 400 }, { status: 200 }] },
    keep: { batched: 'responses.1.body.label_id' },
  },
  { line: 296, says: 'undone', ask: 'DELETE /labels/{batched}', has: { success: true } },
  {
    line: 296,
    says: 'require-all-validate: nothing is done',
    ...batch,
    body: { validation: 'require-all-validate', requests: [createLabel('red'), createLabel('#000000')] },
    has: { failed: 'validation', responses: [{ status: 400 }, null] },
  },
  {
    line: 296,
    says: 'as the list of labels shows',
    ask: 'GET /labels',
    check: ({ body }) => expect(body.labels).toHaveLength(1),
  },
  {
    line: 296,
    says: 'validation is one of two',
    ...batch,
    body: { validation: 'some', requests: [] },
    ...refused('validation'),
  },
  {
    line: 297,
    says: 'edges keep anonymous answers for an hour',
    as: 'nobody',
    ask: 'GET /stats',
    check: ({ headers }) => expect(headers.get('cache-control')).toContain('s-maxage=3600'),
  },
  {
    line: 297,
    says: 'with releases they are not cached',
    as: 'nobody',
    ask: 'GET /projects?include_releases=true',
    check: ({ headers }) => expect(headers.get('cache-control')).toContain('no-store'),
  },
  {
    line: 299,
    says: 'the limit of subscriptions',
    ask: 'GET /dashboard',
    has: { limit: 500, subscription_limit: 500 },
  },
  { line: 303, says: 'v1 is in the base address', ask: 'GET /api/relt/v1/stats', has: { success: true } },
  { line: 303, says: 'there is no other version', ask: 'GET /api/relt/v2/stats', status: 404 },
  { line: 305, says: 'is_subscribed is gone', ask: 'GET /projects', at: 'items.0', lacks: ['is_subscribed'] },
  { line: 305, says: 'and read from elsewhere', ask: 'GET /my-subscriptions', has: { subscribed_ids: list } },
  // Last, because little is left.
  {
    line: 206,
    says: 'cleanup_removed removes what the list lacks',
    as: 'root',
    ask: 'POST /sync-projects',
    body: { projects: [{ name: 'NGINX' }], cleanup_removed: true },
    check: ({ body }) => expect(body.removed).toBeGreaterThan(4),
  },
  { line: 206, says: 'every project', ask: 'GET /projects', has: { total: 1, items: [{ name: 'NGINX' }] } },
]
