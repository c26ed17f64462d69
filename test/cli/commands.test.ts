import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import demoVerb from '../../src/cli/commands/demo/index.ts'
import { createProgram } from '../../src/cli/program/root.ts'
import { version } from '../../src/version.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { folderOfFile, parse } from '../helpers/output.ts'

const home = folderOfFile()
const context = {
  env: {},
  stdin: {},
  stdout: {},
  stderr: {},
  settings: async () => ({}),
  select: () => {},
} as unknown as Parameters<typeof createProgram>[0]
const program = await createProgram(context, [], { loadAll: true })

const commands: [name: string, command: Command][] = []
collect(program, [])

function collect(command: Command, above: string[]): void {
  for (const child of command.commands) {
    const words = [...above, child.name()]
    commands.push([words.join(' '), child])
    collect(child, words)
  }
}

/** The command that a line of shell calls; nothing is done. */
async function called(line: string): Promise<string | undefined> {
  let name: string | undefined
  for (const [words, command] of commands.filter(([, command]) => command.commands.length === 0)) {
    command.action(() => {
      name = words
    })
  }
  const argv = line.match(/"[^"]*"|'[^']*'|\S+/g)!.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'))
  await program.parseAsync(argv.slice(1), { from: 'user' })
  return name
}

test('help shows one default of an option', () => {
  for (const [name, command] of commands) {
    for (const option of command.createHelp().visibleOptions(command)) {
      const shown = command.createHelp().optionDescription(option)
      expect([name, option.flags, shown.match(/\(default/g)?.length ?? 0]).toEqual([
        name,
        option.flags,
        expect.toSatisfy((n: number) => n < 2),
      ])
    }
  }
})

test('these are the commands', () => {
  expect(commands.map(([name]) => name)).toMatchInlineSnapshot(`
    [
      "reports",
      "reports upload",
      "reports list",
      "reports show",
      "reports compare",
      "reports trends",
      "reports freshness",
      "reports html",
      "reports delete",
      "findings",
      "findings list",
      "findings show",
      "findings top",
      "findings paths",
      "status",
      "clusters",
      "clusters list",
      "clusters show",
      "clusters compare",
      "clusters versions",
      "clusters rename",
      "clusters set",
      "clusters delete",
      "impact",
      "scan",
      "scan run",
      "scan collect",
      "scan inventory",
      "scan doctor",
      "profiles",
      "profiles list",
      "profiles show",
      "profiles create",
      "profiles edit",
      "profiles delete",
      "profiles command",
      "profiles file",
      "profiles bootstrap",
      "agent",
      "agent run",
      "agent check",
      "agent status",
      "agent next",
      "agent history",
      "agent trigger",
      "agent pause",
      "agent resume",
      "agent list",
      "agent install",
      "agent uninstall",
      "agent manifests",
      "demo",
      "ci",
      "gate",
      "gate check",
      "gate audit",
      "gate accept-scope",
      "gate vex",
      "exceptions",
      "exceptions add",
      "exceptions list",
      "exceptions show",
      "exceptions expire",
      "exceptions export",
      "spool",
      "spool list",
      "spool send",
      "spool check",
      "spool drop",
      "projects",
      "projects search",
      "projects list",
      "projects show",
      "projects releases",
      "projects popular",
      "projects recent",
      "projects open",
      "feed",
      "feeds",
      "feeds list",
      "feeds create",
      "feeds revoke",
      "stats",
      "catalog",
      "catalog sync",
      "catalog status",
      "catalog coverage",
      "catalog advisories",
      "catalog advisories list",
      "catalog advisories show",
      "catalog advisories import",
      "catalog add",
      "catalog edit",
      "catalog remove",
      "catalog export",
      "catalog import",
      "catalog signing-key",
      "catalog publish-release",
      "catalog push-projects",
      "auth",
      "auth login",
      "auth logout",
      "auth status",
      "auth switch",
      "auth token",
      "dashboard",
      "dashboard show",
      "dashboard activity",
      "dashboard logs",
      "subs",
      "subs list",
      "subs add",
      "subs remove",
      "subs set",
      "subs set-account",
      "subs webhooks",
      "subs pause",
      "subs resume",
      "subs test",
      "webhooks",
      "webhooks list",
      "webhooks set",
      "webhooks rotate-secret",
      "webhooks verify",
      "webhooks listen",
      "notify",
      "notify rehearse",
      "notify preview",
      "notify run",
      "notify set-smtp-password",
      "deliveries",
      "deliveries list",
      "deliveries show",
      "deliveries retry",
      "deliveries drop",
      "deliveries replay",
      "labels",
      "labels list",
      "labels create",
      "labels edit",
      "labels delete",
      "labels attach",
      "labels detach",
      "teams",
      "teams list",
      "teams show",
      "teams members",
      "teams add",
      "teams set-role",
      "teams remove",
      "keys",
      "keys list",
      "keys create",
      "keys revoke",
      "keys rotate",
      "plan",
      "apply",
      "export",
      "sync",
      "sync pull",
      "sync push",
      "sync both",
      "serve",
      "admin",
      "admin users",
      "admin users add",
      "admin users list",
      "admin users show",
      "admin users set-plan",
      "admin users set-role",
      "admin users set-email",
      "admin users set-password",
      "admin users disable",
      "admin users enable",
      "admin users remove",
      "admin teams",
      "admin teams create",
      "admin teams list",
      "admin teams show",
      "admin teams add-member",
      "admin teams remove-member",
      "admin teams set-role",
      "admin teams rename",
      "admin teams delete",
      "admin adopt",
      "admin keys",
      "admin keys create",
      "admin keys list",
      "admin keys revoke",
      "admin audit",
      "admin retention",
      "admin retention run",
      "admin reindex",
      "admin backup",
      "admin restore",
      "admin verify",
      "admin store",
      "admin store copy",
      "admin master-key",
      "admin master-key status",
      "admin master-key rotate",
      "admin master-key reencrypt",
      "admin master-key recovery-kit",
      "openapi",
      "api",
      "alias",
      "alias set",
      "alias list",
      "alias delete",
      "config",
      "config get",
      "config set",
      "config list",
      "config path",
      "doctor",
      "completion",
      "version",
    ]
  `)
})

test.each(commands)('%s has a description', (_, command) => {
  expect(command.description()).toMatch(/^[A-Z][a-z-]+,? .{3,}[^.]$/)
})

describe.each(commands)('relt %s --help', (name, command) => {
  const help = async () => {
    const { code, stdout, stderr } = await runCli([...name.split(' '), '--help'], { home })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }

  test('says what it does', async () => {
    expect(await help()).toContain(command.description())
  })

  test('shows examples that work', async () => {
    const examples = (await help()).match(/(?<=\$ |\| )relt [^>|\n]*/g) ?? []
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) expect(`${await called(example)} `.startsWith(`${name} `)).toBe(true)
  })

  test('leads to the global options', async () => {
    expect(await help()).toMatch(/^ {2}--json |\nGlobal options: relt .* --help\n$/m)
  })
})

test.each(['--version', '-V'])('relt %s tells the version', async (option) => {
  expect(await runCli([option], { home })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

test('relt alone shows its help', async () => {
  const { stdout, stderr } = await runCli([], { home: temporaryFolder() })
  expect(stdout + stderr).toMatch(/^Usage: relt \[options\] \[command\]\n/)
})

test('demo takes no arguments', async () => {
  expect(await parse(demoVerb, [])).toEqual([{ pause: true }])
  expect(await parse(demoVerb, ['--no-pause'])).toEqual([{ pause: false }])
  await expect(parse(demoVerb, ['x'])).rejects.toThrow('too many arguments')
})
