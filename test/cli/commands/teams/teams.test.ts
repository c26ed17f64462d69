import { expect, test } from 'vitest'
import { createLocalClient } from '../../../../src/client/local.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { smallReports, uploadAll } from '../../../helpers/small-store.ts'

/** Runs `relt teams …` and `relt admin …` on the files of a store with the users ada and grace. */
async function onStore() {
  const home = temporaryFolder()
  const run = (line: string) => {
    const argv = line.startsWith('teams ') ? line.split(' ') : ['admin', ...line.split(' ')]
    return runCli([...argv, '--data', home], { home: temporaryFolder() })
  }
  const json = async (line: string) => JSON.parse((await run(`${line} --json`)).stdout)
  for (const login of ['ada', 'grace']) await run(`users add ${login} --plan pro`)
  return { home, run, json }
}

test('a team is created, shown, listed, renamed and deleted', async () => {
  const { run, json } = await onStore()
  expect(await run('teams list')).toMatchObject({
    stderr: 'No teams yet. Create one: relt teams create NAME --owner LOGIN\n',
  })
  expect(await run('teams create platform --owner ada')).toEqual({
    code: 0,
    stdout: '',
    stderr: '✓ Created team platform\n',
  })
  expect(await run('teams add platform grace --role viewer')).toEqual({
    code: 0,
    stdout: '',
    stderr:
      '✓ Added grace to team platform as viewer\n' +
      'Earlier runs of grace stay private until you run: relt admin adopt --user grace --team platform\n',
  })
  expect((await run('teams show platform')).stdout).toMatchInlineSnapshot(`
    "  Team               platform
      Your role          owner
      Clusters           0
      Runs               0
      Profiles           0
      Created            2026-09-01 12:00:00
      Channels           none
      Email              none
      Follows            0 projects
      Cluster events     none
      Quiet hours        none
      Digests            at 8:00 UTC, weekly on monday
      Owners in digests  all
      Fleet report       off
      Gate policy        none

    MEMBER  ROLE
    ada     owner
    grace   viewer
    "
  `)
  expect((await run('teams list')).stdout).toMatchInlineSnapshot(`
    "TEAM      ROLE   DEFAULT  CURRENT
    platform  owner  no       no
    "
  `)
  expect((await run('teams rename platform infra')).stderr).toBe('✓ Renamed team platform to infra\n')
  expect((await run('teams set-role infra grace member')).stderr).toBe(
    '✓ Changed the role of grace in team infra to member\n',
  )
  expect(await json('teams remove infra grace')).toMatchObject({
    name: 'infra',
    items: [{ login: 'ada', role: 'owner' }],
  })
  expect(await run('teams delete infra')).toMatchObject({ code: 2 })
  expect((await run('teams delete infra --yes')).stderr).toBe('✓ Deleted team infra\n')
  expect(await json('teams list')).toEqual({ success: true, team: null, teams: [] })
  const { items } = await json('audit')
  expect(items.map(({ action, subject }: { action: string; subject: string }) => `${action} ${subject}`)).toEqual([
    'team.delete infra',
    'team.remove-member infra/grace',
    'team.set-role infra/grace',
    'team.rename platform/infra',
    'team.add-member platform/grace',
    'team.create platform',
    'user.add grace',
    'user.add ada',
  ])
})

test('a team gets an owner later, and keeps one', async () => {
  const { run } = await onStore()
  expect((await run('teams create platform')).stderr).toContain(
    'It has no owner. Add one: relt teams add platform LOGIN --role owner\n',
  )
  expect(await run('teams add platform ada --role owner')).toMatchObject({ code: 0 })
  for (const line of ['teams remove platform ada', 'teams set-role platform ada member']) {
    expect(await run(line)).toMatchObject({ code: 2, stderr: expect.stringContaining('would have no owner.') })
  }
})

test('the oldest team of a user is the default one', async () => {
  const { home, run } = await onStore()
  const defaults = async () => {
    const client = await createLocalClient({ env: { RELT_KEYCHAIN: 'off' }, now: () => testNow, data: home, as: 'ada' })
    const { teams } = await client.call('getCurrentKey', {})
    await client.close()
    return teams?.map(({ name, is_default }) => `${name} ${is_default}`)
  }
  await run('teams create one --owner ada')
  await run('teams create two --owner ada')
  await run('teams add one grace --role owner')
  expect(await defaults()).toEqual(['one true', 'two false'])
  await run('teams remove one ada')
  await run('teams add one ada')
  expect(await defaults()).toEqual(['two true', 'one false'])
  await run('teams delete two --yes')
  expect(await defaults()).toEqual(['one true'])
})

test.each([
  ['teams create Platform', 2, 'team: must have at most 60 lower-case letters'],
  ['teams create me', 2, 'team: me is your own account'],
  ['teams create platform --owner nobody', 3, 'No user named nobody.'],
  ['teams create platform --owner local', 4, 'The user local is part of the store and cannot join a team.'],
  ['teams create other', 2, 'team: other is taken'],
  ['teams show platform', 3, 'No team named platform.'],
  ['teams rename other me', 2, 'team: me is your own account'],
  ['teams rename platform x', 3, 'No team named platform.'],
  ['teams delete platform --yes', 3, 'No team named platform.'],
  ['teams add platform ada', 3, 'No team named platform.'],
  ['teams add other nobody', 3, 'No account with id nobody.'],
  ['teams add other local', 3, 'No account with id local.'],
  ['teams add other ada', 2, 'Change the role: relt teams set-role other ada viewer'],
  ['teams add other grace --role boss', 2, "--role cannot be 'boss'"],
  ['teams remove other grace', 3, 'The user is not a member of the team.'],
  ['teams set-role other grace owner', 3, 'The user is not a member of the team.'],
  ['adopt --team other', 2, 'Add either --local-user or --user LOGIN.'],
  ['adopt --team other --local-user --user ada', 2, 'Add either --local-user or --user LOGIN.'],
  ['adopt --local-user', 2, 'Name the team that adopts the clusters: --team NAME.'],
  ['adopt --team platform --local-user', 3, 'No team named platform.'],
  ['adopt --team other --user nobody', 3, 'No user named nobody.'],
])('%s is refused and changes nothing', async (line, code, reason) => {
  const { run, json } = await onStore()
  await run('teams create other --owner ada')
  const state = async () => [await json('teams list'), await json('teams show other')]
  const before = await state()
  const refused = await run(line)
  expect(refused).toMatchObject({ code, stdout: '' })
  expect(refused.stderr).toContain(reason)
  expect(await state()).toEqual(before)
})

test('a team adopts the runs of this machine', async () => {
  const { home, run, json } = await onStore()
  await run('teams create platform --owner ada')
  await uploadAll(home, smallReports)
  expect(await run('adopt --local-user --team platform')).toMatchObject({
    code: 0,
    stderr: '✓ Team platform now has 3 more runs of 1 cluster, 0 profiles\n',
  })
  expect(await json('teams show platform')).toMatchObject({ clusters: 1, runs: 3 })
  expect(JSON.parse((await runCli(['reports', 'list', '--json'], { home })).stdout)).toMatchObject({ total: 0 })
  expect((await run('adopt --local-user --team platform')).stderr).toBe(
    '✓ The local user owns no clusters, profiles or exceptions\n',
  )
  expect((await json('audit')).items[0]).toMatchObject({ action: 'team.adopt', subject: 'platform/local' })
})

test('a removed user leaves the runs to the team', async () => {
  const { home, run, json } = await onStore()
  await run('teams create platform --owner ada')
  await uploadAll(home, smallReports.slice(0, 1))
  await run('adopt --local-user --team platform')
  await run('users remove ada --yes')
  expect(await json('teams show platform')).toMatchObject({ members: 0, clusters: 1, runs: 1 })
})

test('a user is added to a team at once', async () => {
  const { run, json } = await onStore()
  await run('teams create platform --owner ada')
  expect((await run('users add ci --plan pro')).stderr).toContain('Share clusters: relt teams add platform ci\n')
  expect((await run('users add dev --plan pro --team platform')).stderr).toContain('✓ Added dev to team platform\n')
  expect(await run('users add eve --team none')).toMatchObject({ code: 3, stderr: 'error: No team named none.\n' })
  expect((await json('users list')).items.map(({ login }: { login: string }) => login)).not.toContain('eve')
  expect((await json('teams show platform')).items.map(({ login }: { login: string }) => login)).toEqual(['ada', 'dev'])
})
