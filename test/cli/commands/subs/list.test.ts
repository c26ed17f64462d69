import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { list as listVerb } from '../../../../src/cli/commands/subs/noun.ts'
import { runCli } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'

const home = folderOfFile()
const empty = folderOfFile()
const subs = (...argv: string[]) => runCli(['subs', ...argv], { home })

beforeAll(async () => {
  await makeSmallCatalog(home)
  const file = join(home, 'webhook')
  writeFileSync(file, 'https://hooks.slack.com/services/T0/B0/secret\n')
  await subs('add', 'argo-cd', 'nginx', 'kubernetes', 'argo-workflows')
  await subs('set', 'argo-cd', '--email-frequency', 'daily', '--no-global-webhooks')
  await runCli(['webhooks', 'set', 'slack', '--project', 'argo-cd', '--secret-file', file], { home })
  await subs('set', 'nginx', '--no-email', '--no-global-webhooks')
  await subs('set', 'kubernetes', '--paused')
})

test('list takes a label and no arguments', async () => {
  expect(await parse(listVerb, [])).toEqual([{}])
  expect(await parse(listVerb, ['--label', 'edge'])).toEqual([{ label: 'edge' }])
})

test('prints the subscriptions by name, webhooks shortened', async () => {
  expect(await printAll(['subs', 'list'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    ID  PROJECT         LATEST   PUBLISHED   CHANNELS  LABELS
     1  Argo CD         v3.5.1   1 week ago  slack     -
     2  Argo Workflows  -        -           -         -
     4  Kubernetes      v1.36.0  6 days ago  paused    -
     5  NGINX           2.0.1    2 days ago  -         -
    2 subscriptions without a channel: nobody is notified. Run \`relt webhooks set
    slack\`.
    Notifications are queued and not sent: delivery is not set up on this server.
    === 120 columns
    ID  PROJECT         LATEST   PUBLISHED   CHANNELS  LABELS
     1  Argo CD         v3.5.1   1 week ago  slack     -
     2  Argo Workflows  -        -           -         -
     4  Kubernetes      v1.36.0  6 days ago  paused    -
     5  NGINX           2.0.1    2 days ago  -         -
    2 subscriptions without a channel: nobody is notified. Run \`relt webhooks set slack\`.
    Notifications are queued and not sent: delivery is not set up on this server.
    === pipe
    ID  PROJECT         LATEST   PUBLISHED            CHANNELS  LABELS
     1  Argo CD         v3.5.1   2026-08-20 00:00:00  slack     -
     2  Argo Workflows  -        -                    -         -
     4  Kubernetes      v1.36.0  2026-08-26 00:00:00  paused    -
     5  NGINX           2.0.1    2026-08-30 00:00:00  -         -
    2 subscriptions without a channel: nobody is notified. Run \`relt webhooks set slack\`.
    Notifications are queued and not sent: delivery is not set up on this server.
    === --json
    {"success":true,"subscriptions":[{"webhook_url":null,"slack_webhook":"https://hooks.slack.com/services/…","teams_webhook":null,"generic_webhook":null,"email_enabled":true,"email_frequency":"daily","release_types_filter":"app,helm","webhook_release_types":"app,helm","use_global_webhooks":false,"notifications_paused":false,"id":1,"user_id":1,"product_id":1,"created_at":"2026-09-01 12:00:00","name":"Argo CD","logo_url":null,"description":"Keeps clusters in the state that a Git repository declares","repo_url":"https://github.com/argoproj/argo-cd","latest_release":{"id":2,"version":"v3.5.1","published_at":"2026-08-20 00:00:00","has_security_fix":false},"labels":[]},{"webhook_url":null,"slack_webhook":null,"teams_webhook":null,"generic_webhook":null,"email_enabled":true,"email_frequency":"per_app","release_types_filter":"app,helm","webhook_release_types":"app,helm","use_global_webhooks":true,"notifications_paused":false,"id":4,"user_id":1,"product_id":2,"created_at":"2026-09-01 12:00:00","name":"Argo Workflows","logo_url":null,"description":"Runs workflows of containers as Kubernetes resources","repo_url":"https://github.com/argoproj/argo-workflows","latest_release":null,"labels":[]},{"webhook_url":null,"slack_webhook":null,"teams_webhook":null,"generic_webhook":null,"email_enabled":true,"email_frequency":"per_app","release_types_filter":"app,helm","webhook_release_types":"app,helm","use_global_webhooks":true,"notifications_paused":true,"id":3,"user_id":1,"product_id":4,"created_at":"2026-09-01 12:00:00","name":"Kubernetes","logo_url":null,"description":"Runs containers on many machines","repo_url":"https://github.com/kubernetes/kubernetes","latest_release":{"id":6,"version":"v1.36.0","published_at":"2026-08-26 00:00:00","has_security_fix":false},"labels":[]},{"webhook_url":null,"slack_webhook":null,"teams_webhook":null,"generic_webhook":null,"email_enabled":false,"email_frequency":"per_app","release_types_filter":"app,helm","webhook_release_types":"app,helm","use_global_webhooks":false,"notifications_paused":false,"id":2,"user_id":1,"product_id":5,"created_at":"2026-09-01 12:00:00","name":"NGINX","logo_url":null,"description":"Web server, reverse proxy and load balancer","repo_url":"https://github.com/nginx/nginx","latest_release":{"id":8,"version":"2.0.1","published_at":"2026-08-30 00:00:00","has_security_fix":false},"labels":[]}],"subscription_count":4}
    "
  `)
})

test('says that there is none, and what to do', async () => {
  expect(await runCli(['subs', 'list'], { home: empty })).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No subscriptions yet. Subscribe: relt subs add PROJECT\n',
  })
})
