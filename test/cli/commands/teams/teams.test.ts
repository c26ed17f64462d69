import { expect, test } from 'vitest'
import { addMember } from '../../../../src/operations/accounts/grant.ts'
import { openService } from '../../../../src/service/service.ts'
import { addTeam } from '../../../../src/store/accounts/team.ts'
import { addUser, getLocalUser } from '../../../../src/store/accounts/user.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'

test('an owner lists, adds, promotes and removes members', async () => {
  const home = temporaryFolder()
  const run = (...argv: string[]) => runCli(argv, { home })
  expect(await run('teams', 'list')).toMatchObject({
    code: 0,
    stderr: 'You are in no team. Clusters, runs and profiles belong to your own account.\n',
  })
  expect(await run('teams', 'members')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('You act for your own account, not for a team.'),
  })
  const env = { RELT_HOME: home, RELT_KEYCHAIN: 'off' }
  const { db, vault } = await openService({ env, now: () => testNow, folder: home })
  const teamId = await addTeam(db, 'platform', testNow)
  const { id: userId } = await getLocalUser(db, testNow)
  await addMember(db, await vault(), { teamId, userId, role: 'owner' }, { isDefault: true })
  await addUser(db, { login: 'grace', email: null, role: 'user', plan: 'pro' }, testNow)
  await db.destroy()

  expect((await run('teams', 'list')).stdout).toMatch(/^platform +owner +yes +yes$/m)
  expect((await run('teams', 'add', 'grace')).stderr).toBe('✓ Added grace to team platform as viewer\n')
  expect((await run('teams', 'set-role', 'grace', 'member')).stderr).toContain('to member')
  expect((await run('teams', 'members', '-o', 'csv')).stdout).toBe('member,role\nlocal,owner\ngrace,member\n')
  expect((await run('teams', 'show', 'platform')).stdout).toMatch(/^ *Your role +owner$/m)
  expect((await run('teams', 'remove', 'grace', '--json')).stdout).toContain('"members":1')
  expect(await run('teams', 'add', 'nobody')).toMatchObject({ code: 3 })
  expect(await run('teams', 'remove', 'local')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Team platform would have no owner.'),
  })
})
