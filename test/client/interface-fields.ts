/** Where the interface shows two forms of an answer, which one; of what it does not show, one of two that could be. */
export type Form = 'full' | 'reduced'

type Thing = Record<string, unknown>
type Trim = (answer: Thing, form: Form) => unknown

const things = (value: unknown) => value as Thing[]

function pick(names: string): (thing: Thing) => Thing {
  const list = names.split(' ')
  return (thing) => Object.fromEntries(list.filter((name) => name in thing).map((name) => [name, thing[name]]))
}

const project =
  'id name description category cncf_status homepage docs_url repo_url helm_chart_repo logo_url updated_at'
const release =
  'id product_id version type release_notes url published_at created_at has_security_fix cve_list security_severity security_summary cve_links'
const releaseItem = 'id product_id version type release_notes url published_at has_security_fix security_severity'
const subscription =
  'id user_id product_id webhook_url slack_webhook teams_webhook generic_webhook email_enabled email_frequency release_types_filter webhook_release_types use_global_webhooks notifications_paused created_at name logo_url description repo_url latest_release labels'
const recent =
  'id name logo_url category cncf_status repo_url version type published_at release_notes has_security_fix security_severity'
const profile = 'name cluster_name provider notes settings'
const dashboard =
  'subscriptions is_pro subscription_count subscription_limit user_email user_login pms_status pms_trial_end pms_is_cancelled slack_webhook teams_webhook generic_webhook webhook_release_types labels'

/** The shorter form of a release names its notes `notes`. */
function trimRelease(names: string, form: Form): (thing: Thing) => Thing {
  return (thing) => {
    if (form === 'full') return pick(names)(thing)
    return { ...pick('id version published_at')(thing), notes: thing.release_notes }
  }
}

function trimReleases(releases: unknown, form: Form): Thing {
  const types = Object.entries(releases as Record<string, Thing[]>)
  return Object.fromEntries(types.map(([type, list]) => [type, list.map(trimRelease(release, form))]))
}

const trimSubscriptions = (list: unknown, form: Form) =>
  things(list).map(pick(form === 'full' ? subscription : 'product_id name'))

const page = pick('page per_page total total_pages')
const success = pick('success')

const trimProduct: Trim = ({ product }, form) => {
  const { releases, ...detail } = product as Thing
  const shown = pick(
    `id name description category cncf_status repo_url homepage logo_url${form === 'full' ? ' docs_url' : ''}`,
  )
  return { product: { ...shown(detail), releases: trimReleases(releases, form) } }
}

const trimFinding = (finding: Thing, form: Form) =>
  form === 'full'
    ? { check_id: finding.check_id, severity: finding.severity, message: finding.message, resource: finding.resource }
    : { title: finding.check_name, severity: 'Warning', namespace: ['a', 'list'], message: 7 }

/** By method and path, where parameters stand as `{}`. What is not here is beyond the interface. */
export const interfaceFields: Record<string, Trim> = {
  'GET /projects': (answer, form) => ({
    ...page(answer),
    items: things(answer.items).map((item) => ({
      ...pick(`${project} latest_version latest_published_at`)(item),
      ...('releases' in item && { releases: trimReleases(item.releases, form) }),
    })),
  }),
  'GET /projects/{}': trimProduct,
  'GET /product/{}': trimProduct,
  'GET /projects/{}/releases': (answer, form) => ({
    ...page(answer),
    items: things(answer.items).map(trimRelease(releaseItem, form)),
  }),
  'GET /stats': (answer, form) =>
    pick(
      `success total_projects total_releases total_security_fixes${form === 'full' ? ' releases_last_7d releases_last_30d releases_last_90d' : ''}`,
    )(answer),
  'GET /recent-releases': (answer, form) => ({
    ...success(answer),
    releases: things(answer.releases).map(pick(form === 'full' ? recent : 'id name version published_at')),
  }),
  'GET /popular-projects': (answer) => ({
    ...success(answer),
    projects: things(answer.projects).map(
      pick('id name category cncf_status logo_url repo_url subscriber_count last_release_at releases_30d'),
    ),
  }),
  'GET /my-subscriptions': pick('subscribed_ids'),
  'GET /subscriptions': (answer, form) => ({
    ...(form === 'reduced' && success(answer)),
    subscriptions: trimSubscriptions(answer.subscriptions, form),
    subscription_count: answer.subscription_count,
  }),
  'GET /feed': (answer) => ({
    ...success(answer),
    releases: things(answer.releases).map(pick('product_id name version published_at type has_security_fix')),
  }),
  'GET /dashboard': (answer, form) =>
    form === 'full'
      ? { ...pick(dashboard)(answer), subscriptions: trimSubscriptions(answer.subscriptions, form) }
      : pick('success plan subscription_count limit')(answer),
  'GET /dashboard-activity': ({ releases }, form) => {
    const list = things(releases).map(pick('name version published_at'))
    return form === 'full' ? { success: true, releases: list } : list
  },
  'GET /dashboard-logs': ({ logs }, form) => {
    const list = things(logs).map(pick('channel status'))
    return form === 'full' ? { logs: list } : list.map(({ channel }) => ({ by: channel }))
  },
  'POST /toggle-sub': (answer, form) =>
    pick(form === 'reduced' && !answer.subscribed ? 'success subscribed' : 'success subscribed subscription_id')(
      answer,
    ),
  'POST /update-settings': success,
  'POST /test-notification': (answer, form) => (form === 'full' ? answer : { ok: 1 }),
  'POST /send-test-notification': (answer, form) => (form === 'full' ? answer : {}),
  'POST /trigger-digest-email': (answer, form) => (form === 'full' ? answer : {}),
  'POST /add-release': (answer, form) => (form === 'full' ? answer : {}),
  'POST /sync-projects': (answer, form) => (form === 'full' ? answer : {}),
  'GET /existing-releases': ({ releases }) => releases,
  'GET /labels': pick('labels'),
  'POST /labels': pick('success label_id'),
  'PUT /labels/{}': success,
  'DELETE /labels/{}': success,
  'POST /subscriptions/{}/labels': success,
  'DELETE /subscriptions/{}/labels/{}': success,
  'GET /api-keys': pick('keys limit count remaining'),
  'POST /api-keys': pick('success password item'),
  'DELETE /api-keys/{}': success,
  'POST /cluster-reports': ({ run_id }, form) => (form === 'full' ? { success: true, run_id } : { run_id }),
  'GET /cluster-reports': (answer, form) => {
    const list = things(answer.items).map(pick('run_id'))
    return form === 'full' ? { ...page(answer), items: list } : { reports: list }
  },
  'GET /cluster-reports/{}': (answer, form) =>
    form === 'full'
      ? pick('run_id cluster_name environment score report')(answer)
      : { run: { run_id: answer.run_id, findings: 12, artifacts: 'many', processing_status: 'ready' } },
  'GET /cluster-reports/compare': (answer, form) => ({
    ...pick('score_delta')(answer),
    ...Object.fromEntries(
      ['new_findings', 'resolved_findings', 'regressed_findings'].map((name) => [
        name,
        things(answer[name]).map((finding) => trimFinding(finding, form)),
      ]),
    ),
  }),
  'GET /cluster-reports/trends': (answer, form) => {
    const points = things(answer.points ?? things(answer.clusters).flatMap((each) => things(each.points)))
    return form === 'full' ? { points: points.map(pick('at score failed_checks')) } : points.map(pick('score'))
  },
  'GET /cluster-reports/{}/freshness': ({ items }, form) => {
    const shown = pick('current_version latest_version confidence reason recommendation status')
    const list = things(items).map(shown)
    return form === 'full' ? { items: list } : list.map((item) => ({ ...item, confidence: 'high' }))
  },
  'GET /cluster-configs': ({ items }, form) => {
    const list = things(items).map(pick(form === 'full' ? `config_id ${profile}` : 'config_id name'))
    return form === 'full' ? { configs: list } : list
  },
  'POST /cluster-configs': (answer, form) =>
    form === 'full' ? pick(`config_id ${profile}`)(answer) : { success: true, config_id: answer.config_id },
  'GET /cluster-configs/{}': pick(profile),
  'PUT /cluster-configs/{}': (answer, form) => (form === 'full' ? pick(profile)(answer) : { success: true }),
  'DELETE /cluster-configs/{}': success,
  'GET /cluster-configs/{}/command': pick('powershell_command docker_env yaml_filename'),
  'GET /cluster-configs/{}/config-file': pick('filename content content_type'),
  'GET /cluster-configs/bootstrap-candidates': ({ candidates }) => things(candidates).map(pick('cluster_name')),
  'POST /cluster-configs/bootstrap-from-reports': (answer, form) =>
    form === 'full' ? { created: things(answer.created).map(pick('config_id name')) } : { success: true },
}
