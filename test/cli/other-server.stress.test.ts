import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program/root.ts'
import { openOtherServer } from '../client/other-server.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { smallReports } from '../helpers/small-store.ts'

/** What a command is called with, and how it ends on a server without extensions, if not with 0. */
interface Case {
  argv: string
  code?: number
  /** Of the reduced forms, where that differs. */
  reduced?: number
  /** Zeros that are true: a list that is empty. */
  zeros?: RegExp
}

const onlyOurs = { code: 3 }
/** The reduced form of a subscription has no id. */
const noId = { reduced: 1 }
const passes = '--fail-on score<1'

/** In an order in which each finds what it needs. PROFILE, RUN and the like are filled in. */
const cases: Record<string, Case | Case[] | 'local'> = {
  'reports upload': [
    { argv: 'reports upload -' },
    { argv: 'reports upload - --compare --cluster second' },
    // No score, no artifacts: what the server does not say decides nothing.
    {
      argv: 'reports upload - --cluster third --gate --fail-on security-behind>=low',
      code: 6,
      zeros: /0 artifacts behind/,
    },
  ],
  'reports list': { argv: 'reports list' },
  'reports copy': { argv: 'reports copy --to local --dry-run', zeros: /0\/\d/ },
  'reports show': [{ argv: 'reports show' }, { argv: 'reports show --report', reduced: 1 }],
  'reports compare': { argv: 'reports compare --cluster shop-prod', zeros: /\d (new|regressed|resolved)/ },
  'reports trends': { argv: 'reports trends', zeros: /0 ┤/ },
  'reports freshness': [
    { argv: 'reports freshness', zeros: /0 (outdated|up to date|unknown)/ },
    { argv: 'reports freshness --explain' },
    { argv: 'reports freshness --all', zeros: /0 (outdated|up to date|unknown)/ },
  ],
  'reports html': { argv: 'reports html --out PAGE' },
  'reports delete': { argv: 'reports delete RUN --yes', ...onlyOurs },
  'scan run': 'local',
  'scan collect': 'local',
  'scan inventory': 'local',
  'gate check': [
    { argv: 'gate check --fail-on score<50 --cluster shop-prod', reduced: 6 },
    { argv: 'gate check --fail-on new>=high>99 --cluster shop-prod', zeros: /0 new findings/ },
    { argv: 'gate check --fail-on findings>=high>99 --cluster shop-prod', reduced: 6 },
    { argv: 'gate check --fail-on major-behind>99 --cluster shop-prod', zeros: /0 artifacts/ },
    { argv: 'gate check --fail-on security-behind>=low>99 --cluster shop-prod', code: 6, zeros: /0 artifacts/ },
    { argv: 'gate check --fail-on affected>=high --cluster shop-prod', code: 6, zeros: /0 artifacts/ },
    { argv: 'gate check --fail-on kubernetes-eol --cluster shop-prod', code: 6 },
    { argv: 'gate check --fail-on eol --cluster shop-prod', code: 6, zeros: /0 artifacts/ },
  ],
  'exceptions add': { argv: 'exceptions add --check SEC001 --all-clusters --reason x --until 90d', ...onlyOurs },
  'exceptions list': { argv: 'exceptions list', ...onlyOurs },
  'owners list': { argv: 'owners list', ...onlyOurs },
  'owners set': { argv: 'owners set OWNERS', ...onlyOurs },
  'exceptions show': { argv: 'exceptions show exc_1', ...onlyOurs },
  'exceptions confirm': { argv: 'exceptions confirm exc_1', ...onlyOurs },
  'exceptions expire': { argv: 'exceptions expire exc_1', ...onlyOurs },
  'gate vex': { argv: 'gate vex --cluster shop-prod' },
  'gate baseline': { argv: 'gate baseline --cluster shop-prod --reason x --dry-run', ...onlyOurs },
  'gate explain': { argv: 'gate explain --cluster shop-prod', ...onlyOurs },
  'gate try': { argv: `gate try ${passes} --cluster shop-prod` },
  ci: {
    argv: `ci - ${passes} --sarif SARIF --junit JUNIT --code-quality QUALITY --summary SUMMARY --html PAGE`,
    reduced: 6,
    zeros: /0 (used|unused|expired|new|regressed|resolved)/,
  },
  'findings list': [
    { argv: 'findings list --all', ...onlyOurs },
    { argv: 'findings list --all --state new', ...onlyOurs },
  ],
  'findings top': { argv: 'findings top', ...onlyOurs },
  'findings split': { argv: 'findings split shop/app-migrate-42', ...onlyOurs },
  'findings paths': { argv: 'findings paths', ...onlyOurs },
  'findings show': { argv: 'findings show 3f2a91c4d07e', ...onlyOurs },
  status: [
    { argv: 'status --all' },
    { argv: 'status --label x', code: 1 },
    { argv: 'status shop-prod', reduced: 3 },
    { argv: 'status shop-prod second', ...onlyOurs },
  ],
  'subjects list': { argv: 'subjects list', ...onlyOurs },
  'subjects end': { argv: 'subjects end shop/web --reason Replaced', ...onlyOurs },
  'clusters versions': { argv: 'clusters versions argo-cd', ...onlyOurs },
  'clusters rename': { argv: 'clusters rename shop-prod other', ...onlyOurs },
  'clusters set': { argv: 'clusters set shop-prod --every 24h', ...onlyOurs },
  'clusters delete': { argv: 'clusters delete shop-prod --yes', ...onlyOurs },
  impact: { argv: 'impact', ...onlyOurs },
  metrics: { argv: 'metrics', ...onlyOurs },
  mcp: 'local',
  'upgrade check': { argv: 'upgrade check --kubernetes 1.33 --to 1.35 keda@2.18.3', ...onlyOurs },
  'upgrade plan': { argv: 'upgrade plan --cluster shop-prod', ...onlyOurs },
  'upgrade path': { argv: 'upgrade path keda 2.18.3', ...onlyOurs },
  'projects search': { argv: 'projects search argo' },
  'projects list': { argv: 'projects list' },
  'projects show': { argv: 'projects show argo-cd' },
  'projects releases': [
    { argv: 'projects releases argo-cd' },
    { argv: 'projects releases argo-cd --type helm' },
    { argv: 'projects releases argo-cd v3.5.1' },
  ],
  'catalog sync': 'local',
  'catalog pull': 'local',
  'catalog status': 'local',
  'catalog advisories list': 'local',
  'catalog advisories show': 'local',
  'catalog add': 'local',
  'catalog edit': 'local',
  'catalog remove': 'local',
  'catalog restore': 'local',
  'catalog export': 'local',
  'catalog import': 'local',
  stats: { argv: 'stats', zeros: /Security fixes +0/ },
  'subs add': { argv: 'subs add argo-cd nginx' },
  'subs list': { argv: 'subs list' },
  'subs set': { argv: 'subs set argo-cd --email-frequency daily', ...noId },
  'notify set': { argv: 'notify set --webhook-release-types app', ...onlyOurs },
  'webhooks list': { argv: 'webhooks list' },
  'webhooks set': { argv: 'webhooks set slack --remove', ...onlyOurs },
  'webhooks rotate-secret': { argv: 'webhooks rotate-secret', ...onlyOurs },
  'notify preview': 'local',
  'notify test': [
    { argv: 'notify test', code: 1, reduced: 0 },
    { argv: 'notify test argo-cd', code: 1, ...noId },
  ],
  'feed show': [{ argv: 'feed --days 300' }, { argv: 'feed --days 300 --mine', code: 1 }],
  dashboard: { argv: 'dashboard' },
  'notify deliveries list': { argv: 'notify deliveries list', ...onlyOurs },
  'notify deliveries show': { argv: 'notify deliveries show msg_1', ...onlyOurs },
  'notify deliveries retry': { argv: 'notify deliveries retry msg_1', ...onlyOurs },
  'notify send': 'local',
  'labels create': { argv: 'labels create core --color #1f6feb' },
  'labels list': { argv: 'labels list', zeros: /(^|\s)0(\s|$)/ },
  'labels edit': { argv: 'labels edit core --color #000000' },
  'labels attach': { argv: 'labels attach core argo-cd', ...noId },
  'labels detach': { argv: 'labels detach core argo-cd', ...noId },
  'labels delete': { argv: 'labels delete core --yes' },
  'teams list': { argv: 'teams list', ...onlyOurs },
  'teams show': { argv: 'teams show platform', ...onlyOurs },
  'teams subs': { argv: 'teams subs platform', ...onlyOurs },
  'teams set': { argv: 'teams set platform --quiet-hours 22:00-07:00', code: 2 },
  'teams add': { argv: 'teams add platform grace', ...onlyOurs },
  'teams set-role': { argv: 'teams set-role platform grace viewer', ...onlyOurs },
  'teams remove': { argv: 'teams remove platform grace', ...onlyOurs },
  'teams create': 'local',
  'teams rename': 'local',
  'teams set-email': 'local',
  'teams delete': 'local',
  'feed publish': { argv: 'feed publish', ...onlyOurs },
  'feed list': { argv: 'feed list', ...onlyOurs },
  'feed revoke': { argv: 'feed revoke feed_00 --yes', ...onlyOurs },
  'keys create': { argv: 'keys create CI' },
  'keys list': { argv: 'keys list' },
  'keys rotate': { argv: 'keys rotate CI' },
  'keys revoke': { argv: 'keys revoke CI --yes' },
  'profiles create': { argv: 'profiles create shop --cluster shop-prod --provider aks --set excluded_checks=[SEC001]' },
  'profiles list': { argv: 'profiles list' },
  'profiles show': { argv: 'profiles show shop' },
  'profiles edit': { argv: 'profiles edit shop --set radar.environment=prod' },
  'profiles command': { argv: 'profiles command shop' },
  'profiles file': { argv: 'profiles file shop' },
  apply: { argv: 'apply -f FILE --yes' },
  export: { argv: 'export' },
  'profiles delete': { argv: 'profiles delete shop --yes' },
  'subs remove': { argv: 'subs remove argo-cd' },
  'auth login': 'local',
  'auth logout': 'local',
  'auth status': { argv: 'auth status' },
  'auth switch': 'local',
  'auth token': 'local',
  'config set': 'local',
  'config list': 'local',
  api: { argv: 'api GET /labels', zeros: /"subscription_count": 0/ },
  'agent run': 'local',
  'agent check': 'local',
  'agent status': 'local',
  'agent history': 'local',
  'agent trigger': 'local',
  'agent pause': 'local',
  'agent resume': 'local',
  'agent install': 'local',
  'agent uninstall': 'local',
  'agent manifests': 'local',
  'agent list': { argv: 'agent list', ...onlyOurs },
  'spool list': 'local',
  'spool send': { argv: 'spool send' },
  'spool drop': 'local',
  serve: 'local',
  'admin users add': 'local',
  'admin users list': 'local',
  'admin users show': 'local',
  'admin users set-plan': 'local',
  'admin users set-role': 'local',
  'admin users set-email': 'local',
  'admin users set-password': 'local',
  'admin users disable': 'local',
  'admin users enable': 'local',
  'admin users remove': 'local',
  'admin adopt': 'local',
  'admin audit': 'local',
  'admin retention run': 'local',
  'admin backup': 'local',
  'admin restore': 'local',
  'admin verify': 'local',
  'admin store copy': 'local',
  'admin master-key status': 'local',
  'admin master-key rotate': 'local',
  'admin master-key reencrypt': 'local',
  'admin master-key recovery-kit': 'local',
  openapi: 'local',
  doctor: { argv: 'doctor', zeros: /servers 0|store of 0 MB/ },
  version: 'local',
  completion: 'local',
  demo: 'local',
  // They open a store on this machine.
}

test('every command is here', async () => {
  const context = { env: {}, stdin: {}, stdout: {}, stderr: {}, settings: async () => ({}), select: () => {} } as never
  const program = await createProgram(context, [], { loadAll: true })
  expect(toLeaves(program, []).sort()).toEqual(Object.keys(cases).sort())
})

function toLeaves(command: Command, above: string[]): string[] {
  return command.commands.flatMap((child) => {
    const words = [...above, child.name()]
    return child.commands.length > 0 ? toLeaves(child, words) : words.join(' ')
  })
}

const wanted = `
labels: [{name: core, color: '#1f6feb'}]
subscriptions: [{project: nginx}]
profiles: [{name: shop, settings: {radar: {compare: true}}}]
`
const zero = /(?<![\w.:#-])0(?![\w.:%-])/

describe.each(['full', 'reduced'] as const)('against a server with the %s forms of the interface', (form) => {
  const all = Object.values(cases).flatMap((each) => (each === 'local' ? [] : each))

  test('no command fails over what the server does not say, and none makes it up', async () => {
    const { server, password } = await openOtherServer(form)
    const home = temporaryFolder()
    const file = (name: string) => join(home, name)
    writeFileSync(file('wanted.yaml'), wanted)
    writeFileSync(file('projects.yaml'), '[{name: Shop API}]')
    writeFileSync(file('owners.yaml'), 'owners: [{owner: core}]')
    const env = { RELT_SERVER: server.url, RELT_USERNAME: 'ada', RELT_PASSWORD: password, NO_COLOR: '1' }
    const run = (argv: string[], options = {}) =>
      runCli(argv, { home, env, stdin: JSON.stringify(smallReports[2]), ...options })
    for (const report of smallReports) {
      expect(await run(['reports', 'upload', '-'], { stdin: JSON.stringify(report) })).toMatchObject({ code: 0 })
    }
    const runId = (await run(['reports', 'list'])).stdout.match(/crun_\S+/)![0]
    const filled = (argv: string) =>
      argv
        .replace('FILE', file('wanted.yaml'))
        .replace('PROJECTS', file('projects.yaml'))
        .replace('OWNERS', file('owners.yaml'))
        .replace('RUN', runId)
        .replace(/\b(SARIF|JUNIT|QUALITY|SUMMARY|PAGE)\b/g, (name) => file(name))
        .split(' ')
    const wrong: object[] = []
    for (const { argv, code = 0, reduced = code, zeros } of all) {
      const expected = form === 'reduced' ? reduced : code
      const forms = /^(\w+ )?(add|create|delete|remove|revoke|rotate|bootstrap|attach|detach|apply)|--yes/.test(argv)
        ? [['--json']]
        : form === 'full'
          ? [[]]
          : [[], ['--json'], ['-o', 'csv']]
      for (const more of forms) {
        const columns = more.length === 0 ? { columns: 120 } : {}
        const { code: ended, stdout, stderr } = await run([...filled(argv), ...more], columns)
        const text = `${stdout}${stderr}`
        const isData = more.length > 0
        const made = isData ? undefined : text.split('\n').find((line) => zero.test(line) && !zeros?.test(line))
        const slipped = isData
          ? undefined
          : text.split('\n').find((line) => /\b(undefined|null|NaN)\b|\[object/.test(line))
        const isWrong =
          ended !== expected ||
          made !== undefined ||
          slipped !== undefined ||
          /what the contract says|internal|no route (was|matches)/i.test(stderr)
        if (isWrong) wrong.push({ argv: [argv, ...more].join(' '), ended, made, slipped, stderr })
      }
    }
    expect(wrong).toEqual([])
  })
})
