import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import applyVerb from '../../../../src/cli/commands/apply/index.ts'
import exportVerb from '../../../../src/cli/commands/export/index.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'

const wanted = `gate: {fail_on: [score<80]}
account:
  slack_webhook: env:SLACK
labels:
  - {name: prod, color: "#1f6feb"}
subscriptions:
  - project: argo-cd
    labels: [prod]
    email_frequency: daily
  - project: NGINX
    generic_webhook: https://chat.example/rooms/secret
profiles:
  - name: shop
    provider: aks
    settings: {thresholds: {cpu_warning: 70}}
`
const env = { SLACK: 'https://hooks.slack.com/services/T0/B0/secret' }

let home: string
let file: string

beforeEach(async () => {
  home = temporaryFolder()
  file = join(home, 'relt.yaml')
  writeFileSync(file, wanted)
  await makeSmallCatalog(home)
})

/** Runs on a pipe, with what the file takes from the environment. */
const relt = (argv: string[], options: { stdin?: string; columns?: number; env?: Record<string, string> } = {}) =>
  runCli(argv, { home, env, ...options })
const masked = (text: string) => text.replaceAll(home, 'HOME')

test('options of both', async () => {
  expect(await parse(applyVerb, ['--dry-run'])).toEqual([{ file: 'relt.yaml', dryRun: true }])
  expect(await parse(applyVerb, ['--file', 'a', '--prune', '-y'])).toEqual([{ file: 'a', prune: true, yes: true }])
  expect(await parse(exportVerb, ['--out', 'a'])).toEqual([{ out: 'a' }])
})

test('a dry run shows what would change, in every form, and no secret', async () => {
  expect(masked(await printAll(['apply', '--dry-run', '-f', file], home))).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns, pipe
    ~ account webhooks
        slack_webhook: none → env:SLACK
    + label prod
        color: #1f6feb
    + subscription Argo CD
        email_frequency: daily
        labels: prod
    + subscription NGINX
        generic_webhook: https://chat.example/rooms/…
    + profile shop
        provider: aks
        settings.thresholds.cpu_warning: 70
    --- stderr
    Webhooks not compared, because these variables are not set: SLACK
    4 to add, 1 to change. Nothing has changed yet. Run \`relt apply\` to apply them.
    === --json
    {"success":true,"actions":[{"change":"change","kind":"account","name":"webhooks","fields":[{"name":"slack_webhook","from":"none","to":"env:SLACK"}]},{"change":"add","kind":"label","name":"prod","fields":[{"name":"color","from":null,"to":"#1f6feb"}]},{"change":"add","kind":"subscription","name":"Argo CD","fields":[{"name":"email_frequency","from":null,"to":"daily"},{"name":"labels","from":null,"to":"prod"}]},{"change":"add","kind":"subscription","name":"NGINX","fields":[{"name":"generic_webhook","from":null,"to":"https://chat.example/rooms/…"}]},{"change":"add","kind":"profile","name":"shop","fields":[{"name":"provider","from":null,"to":"aks"},{"name":"settings.thresholds.cpu_warning","from":null,"to":"70"}]}],"applied":0}
    "
  `)
})

test('a dry run on a terminal is in colours', async () => {
  const { stdout } = await relt(['apply', '--dry-run', '-f', '-'], {
    columns: 80,
    stdin: 'subscriptions: [{project: nginx}]',
  })
  expect(stdout).toBe('\u001b[32m+ subscription NGINX\u001b[39m\n')
})

test('apply does it once', async () => {
  const first = await relt(['apply', '-f', file])
  expect({ ...first, stderr: masked(first.stderr) }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "✓ 5 done
    ",
      "stdout": "~ account webhooks
        slack_webhook: none → env:SLACK
    + label prod
        color: #1f6feb
    + subscription Argo CD
        email_frequency: daily
        labels: prod
    + subscription NGINX
        generic_webhook: https://chat.example/rooms/…
    + profile shop
        provider: aks
        settings.thresholds.cpu_warning: 70
    ",
    }
  `)
  expect(await relt(['apply', '-f', file])).toEqual({
    code: 0,
    stdout: '',
    stderr: `No changes: everything matches ${file}.\n`,
  })
  expect(await relt(['apply', '-f', file, '--json'])).toEqual({
    code: 0,
    stdout: '{"success":true,"actions":[],"applied":0}\n',
    stderr: '',
  })
})

test('apply tells as JSON what it did', async () => {
  const { stdout, stderr } = await relt(['apply', '-f', '-', '--json'], { stdin: 'subscriptions: [{project: nginx}]' })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    success: true,
    actions: [{ change: 'add', kind: 'subscription', name: 'NGINX', fields: [] }],
    applied: 1,
  })
})

test('apply does nothing while a variable is missing', async () => {
  expect(await relt(['apply', '-f', file], { env: {} })).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: Environment variables not set: SLACK\nhint: The file reads webhooks from them.\n',
  })
  expect(JSON.parse((await relt(['apply', '--dry-run', '-f', file, '--json'])).stdout).actions).toHaveLength(5)
})

describe('apply that fails in the middle', () => {
  const stdin = 'subscriptions: [{project: nginx}, {project: argo-cd, email_frequency: daily}, {project: kubernetes}]'
  const limited = { stdin, env: { RELT_PLAN_LIMITS: 'pro_plus.subscriptions=1' } }

  test('tells what is done and what is not', async () => {
    expect(await relt(['apply', '-f', '-'], limited)).toMatchInlineSnapshot(`
      {
        "code": 4,
        "stderr": "Stopped at subscription Argo CD. Applied 1 of 3 changes.
      error: The Pro Plus plan has a limit of 1 subscriptions.
      hint: Remove a subscription, or change the plan.
      ",
        "stdout": "+ subscription NGINX
      + subscription Argo CD  (failed)
          email_frequency: daily
      + subscription Kubernetes  (not applied)
      ",
      }
    `)
  })

  test('tells it as JSON', async () => {
    const { code, stdout, stderr } = await relt(['apply', '-f', '-', '--json'], limited)
    expect(code).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({ success: false, applied: 1, actions: [{}, {}, {}] })
    expect(JSON.parse(stderr).error.code).toBe('rest_forbidden')
  })
})

describe('apply --prune', () => {
  const stdin = 'labels: []\nsubscriptions: [{project: nginx}]'
  beforeEach(() => relt(['apply', '-f', file]))

  test('without anybody to ask says what would go, and leaves it', async () => {
    expect(await relt(['apply', '-f', '-', '--prune'], { stdin })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: This would remove subscription Argo CD, label prod.\nhint: Add --yes to confirm.\n',
    })
    expect(await relt(['apply', '--dry-run', '-f', file])).toMatchObject({ stdout: '' })
  })

  test('with --yes removes what the file does not name', async () => {
    expect(await relt(['apply', '-f', '-', '--prune', '--yes'], { stdin })).toEqual({
      code: 0,
      stdout: '- subscription Argo CD\n- label prod\n',
      stderr: '✓ 2 done\n',
    })
    const left = JSON.parse((await relt(['export', '--json'])).stdout)
    expect(left.labels).toEqual([])
    expect(left.subscriptions).toMatchObject([{ project: 'NGINX' }])
    expect(left.profiles).toMatchObject([{ name: 'shop' }])
  })

  test('does not ask when nothing goes', async () => {
    expect(await relt(['apply', '-f', file, '--prune'])).toMatchObject({ code: 0, stdout: '' })
  })
})

describe('export', () => {
  beforeEach(() => relt(['apply', '-f', file]))

  test('prints such a file, in every form, and no secret', async () => {
    expect(await printAll(['export'], home)).toMatchInlineSnapshot(`
      "
      === 80 columns
      # What is there, for: relt apply
      # Webhooks are secrets. To apply this, set these variables:
      #   RELT_SLACK_WEBHOOK
      #   RELT_GENERIC_WEBHOOK_NGINX_5
      account:
        slack_webhook: env:RELT_SLACK_WEBHOOK
        webhook_release_types: app,helm,pre
        time_zone: UTC
        digest_hour: 8
        digest_weekday: monday
        quiet_hours: ""
        quiet_hours_except: none
        min_severity: none
        only_what_runs: false
        cluster_events: ""
        cluster_scope: ""
        cluster_mails: true
        owner_scope: ""
        fleet_report: "off"
      labels:
        - name: prod
          color: "#1f6feb"
      subscriptions:
        - project: Argo CD
          labels:
            - prod
          email_enabled: true
          email_frequency: daily
          release_types_filter: app,helm
          webhook_release_types: app,helm
          use_global_webhooks: true
          notifications_paused: false
        - project: NGINX
          labels: []
          email_enabled: true
          email_frequency: per_app
          release_types_filter: app,helm
          webhook_release_types: app,helm
          use_global_webhooks: true
          notifications_paused: false
          generic_webhook: env:RELT_GENERIC_WEBHOOK_NGINX_5
      profiles:
        - name: shop
          cluster_name: shop
          provider: aks
          notes: ""
          settings:
            thresholds:
              cpu_warning: 70
      --- stderr
      Webhooks are secrets and are not exported. To apply the file, set:
      RELT_SLACK_WEBHOOK, RELT_GENERIC_WEBHOOK_NGINX_5
      === 120 columns, pipe
      # What is there, for: relt apply
      # Webhooks are secrets. To apply this, set these variables:
      #   RELT_SLACK_WEBHOOK
      #   RELT_GENERIC_WEBHOOK_NGINX_5
      account:
        slack_webhook: env:RELT_SLACK_WEBHOOK
        webhook_release_types: app,helm,pre
        time_zone: UTC
        digest_hour: 8
        digest_weekday: monday
        quiet_hours: ""
        quiet_hours_except: none
        min_severity: none
        only_what_runs: false
        cluster_events: ""
        cluster_scope: ""
        cluster_mails: true
        owner_scope: ""
        fleet_report: "off"
      labels:
        - name: prod
          color: "#1f6feb"
      subscriptions:
        - project: Argo CD
          labels:
            - prod
          email_enabled: true
          email_frequency: daily
          release_types_filter: app,helm
          webhook_release_types: app,helm
          use_global_webhooks: true
          notifications_paused: false
        - project: NGINX
          labels: []
          email_enabled: true
          email_frequency: per_app
          release_types_filter: app,helm
          webhook_release_types: app,helm
          use_global_webhooks: true
          notifications_paused: false
          generic_webhook: env:RELT_GENERIC_WEBHOOK_NGINX_5
      profiles:
        - name: shop
          cluster_name: shop
          provider: aks
          notes: ""
          settings:
            thresholds:
              cpu_warning: 70
      --- stderr
      Webhooks are secrets and are not exported. To apply the file, set: RELT_SLACK_WEBHOOK, RELT_GENERIC_WEBHOOK_NGINX_5
      === --json
      {"account":{"slack_webhook":"env:RELT_SLACK_WEBHOOK","webhook_release_types":"app,helm,pre","time_zone":"UTC","digest_hour":8,"digest_weekday":"monday","quiet_hours":"","quiet_hours_except":"none","min_severity":"none","only_what_runs":false,"cluster_events":"","cluster_scope":"","cluster_mails":true,"owner_scope":"","fleet_report":"off"},"labels":[{"name":"prod","color":"#1f6feb"}],"subscriptions":[{"project":"Argo CD","labels":["prod"],"email_enabled":true,"email_frequency":"daily","release_types_filter":"app,helm","webhook_release_types":"app,helm","use_global_webhooks":true,"notifications_paused":false},{"project":"NGINX","labels":[],"email_enabled":true,"email_frequency":"per_app","release_types_filter":"app,helm","webhook_release_types":"app,helm","use_global_webhooks":true,"notifications_paused":false,"generic_webhook":"env:RELT_GENERIC_WEBHOOK_NGINX_5"}],"profiles":[{"name":"shop","cluster_name":"shop","provider":"aks","notes":"","settings":{"thresholds":{"cpu_warning":70}}}]}
      "
    `)
  })

  test('writes such a file, which needs nothing more', async () => {
    const out = join(home, 'out.yaml')
    expect(await relt(['export', '--out', out])).toMatchObject({ code: 0, stdout: '' })
    expect(readFileSync(out, 'utf8')).toBe((await relt(['export'])).stdout)
    expect(await relt(['apply', '--dry-run', '-f', out, '--prune'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `Webhooks not compared, because these variables are not set: RELT_SLACK_WEBHOOK, RELT_GENERIC_WEBHOOK_NGINX_5
No changes: everything matches ${out}.
`,
    })
  })

  test('as JSON is such a file, too', async () => {
    const { stdout } = await relt(['export', '--json'])
    expect(await relt(['apply', '--dry-run', '-f', '-', '--prune', '--json'], { stdin: stdout })).toEqual({
      code: 0,
      stdout: '{"success":true,"actions":[],"applied":0}\n',
      stderr: '',
    })
  })

  test('tells as JSON what it wrote', async () => {
    const out = join(home, 'out.yaml')
    const { stdout, stderr } = await relt(['export', '--out', out, '--json'])
    expect(stderr).toBe('')
    const variables = ['RELT_SLACK_WEBHOOK', 'RELT_GENERIC_WEBHOOK_NGINX_5']
    expect(JSON.parse(stdout)).toEqual({ success: true, file: out, variables })
  })

  test('overwrites nothing', async () => {
    const { code, stderr } = await relt(['export', '--out', file])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error: ${file} cannot be written: it already exists.\nhint: Choose another name, or delete the file.\n`,
    })
    expect(readFileSync(file, 'utf8')).toBe(wanted)
  })
})

describe('a file that cannot be used', () => {
  test.each([['--dry-run'], ['--prune']])('names its lines with %s', async (option) => {
    const stdin = 'labels: []\nsubscription: []\n'
    expect(await relt(['apply', option, '-f', '-'], { stdin })).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: standard input cannot be used.
  standard input:2: there is no key "subscription"; did you mean subscriptions?
`,
    })
  })

  test('is one that is not there', async () => {
    const { code, stderr } = await relt(['apply', '--dry-run', '-f', join(home, 'none.yaml')])
    expect({ code, stderr: masked(stderr) }).toEqual({
      code: 2,
      stderr:
        'error: HOME/none.yaml cannot be read: no such file.\nhint: Export your account: relt export --out relt.yaml\n',
    })
    expect(existsSync(join(home, 'none.yaml'))).toBe(false)
  })

  test('is one that is too large', async () => {
    const { code, stderr } = await relt(['apply', '--dry-run', '-f', '-'], { stdin: '#'.repeat(5_000_000) })
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'error: standard input is larger than 4 MB.\n' })
  })
})
