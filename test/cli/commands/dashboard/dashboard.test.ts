import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createLocalClient } from '../../../../src/client/local.ts'
import { runCli, testNow } from '../../../helpers/cli.ts'
import { folderOfFile, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'

const home = folderOfFile()
const empty = folderOfFile()
const secret = 'https://hooks.slack.com/services/T0/B0/secret'

beforeAll(async () => {
  await makeSmallCatalog(home)
  const file = join(home, 'webhook')
  writeFileSync(file, secret)
  await runCli(['subs', 'add', 'argo-cd', 'nginx'], { home })
  await runCli(['subs', 'set', 'nginx', '--paused'], { home })
  await runCli(['webhooks', 'set', 'slack', '--project', 'argo-cd', '--secret-file', file], { home })
  const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => testNow })
  await client.call('updateAccountSettings', { body: { teams_webhook: `${secret}-of-account` } })
  await client.call('createLabel', { body: { label_name: 'edge', label_color: '#1f6feb' } })
  await client.close()
})

test('shows the account, webhooks shortened', async () => {
  expect(await printAll(['dashboard'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns, pipe
    local

      Subscriptions  2, 1 paused
      Labels         edge (0)
      Vulnerable     not known
      Email          -
      Slack          -
      Teams          https://hooks.slack.com/services/…
      Webhook        -
      Webhook types  app,helm,pre
    Notifications are queued and not sent: delivery is not set up on this server.
    Facts of 2099-01-01. No security facts about these 2 projects.
    === --json
    {"success":true,"plan":"Pro Plus","limit":2147483647,"subscriptions":[{"webhook_url":null,"slack_webhook":"https://hooks.slack.com/services/…","teams_webhook":null,"generic_webhook":null,"email_enabled":true,"email_frequency":"per_app","release_types_filter":"app,helm","webhook_release_types":"app,helm","use_global_webhooks":true,"notifications_paused":false,"id":1,"user_id":1,"product_id":1,"created_at":"2026-09-01 12:00:00","name":"Argo CD","logo_url":null,"description":"Keeps clusters in the state that a Git repository declares","repo_url":"https://github.com/argoproj/argo-cd","latest_release":{"id":2,"version":"v3.5.1","published_at":"2026-08-20 00:00:00","has_security_fix":false},"labels":[]},{"webhook_url":null,"slack_webhook":null,"teams_webhook":null,"generic_webhook":null,"email_enabled":true,"email_frequency":"per_app","release_types_filter":"app,helm","webhook_release_types":"app,helm","use_global_webhooks":true,"notifications_paused":true,"id":2,"user_id":1,"product_id":5,"created_at":"2026-09-01 12:00:00","name":"NGINX","logo_url":null,"description":"Web server, reverse proxy and load balancer","repo_url":"https://github.com/nginx/nginx","latest_release":{"id":8,"version":"2.0.1","published_at":"2026-08-30 00:00:00","has_security_fix":false},"labels":[]}],"is_pro":true,"subscription_count":2,"subscription_limit":2147483647,"user_email":null,"user_login":"local","pms_status":"active","pms_trial_end":null,"pms_is_cancelled":false,"slack_webhook":null,"teams_webhook":"https://hooks.slack.com/services/…","generic_webhook":null,"webhook_release_types":"app,helm,pre","time_zone":"UTC","digest_hour":8,"digest_weekday":"monday","quiet_hours":"","quiet_hours_except":"none","min_severity":"none","only_what_runs":false,"cluster_events":"","cluster_scope":"","cluster_mails":true,"owner_scope":"","fleet_report":"off","labels":[{"id":1,"label_name":"edge","label_color":"#1f6feb","subscription_count":0}],"catalog_date":"2099-01-01","looked_at":{"subscriptions":2,"projects":2,"security_known":0,"clusters":[]},"delivers_notifications":false,"affected":{"clusters":0,"artifacts":0,"critical":0,"high":0,"known":0,"coverage":{"artifacts":0,"advisories_known":0,"advisory_facts_at":null}}}
    "
  `)
})

test('says that an account without subscriptions hears of nothing', async () => {
  const { stdout } = await runCli(['dashboard'], { home: empty })
  expect(stdout).toContain('You have no subscriptions, so no releases are listed.\n')
})
