import { describe, expect, test } from 'vitest'
import * as audit from '../../../../src/cli/commands/admin/audit.ts'
import * as createKey from '../../../../src/cli/commands/admin/keys/create.ts'
import * as listKeys from '../../../../src/cli/commands/admin/keys/list.ts'
import * as revokeKey from '../../../../src/cli/commands/admin/keys/revoke.ts'
import * as retention from '../../../../src/cli/commands/admin/retention/run.ts'
import * as add from '../../../../src/cli/commands/admin/users/add.ts'
import * as list from '../../../../src/cli/commands/admin/users/list.ts'
import * as remove from '../../../../src/cli/commands/admin/users/remove.ts'
import * as setPassword from '../../../../src/cli/commands/admin/users/set-password.ts'
import * as setPlan from '../../../../src/cli/commands/admin/users/set-plan.ts'
import * as setRole from '../../../../src/cli/commands/admin/users/set-role.ts'
import * as show from '../../../../src/cli/commands/admin/users/show.ts'
import { parse } from '../../../helpers/output.ts'

type Create = Parameters<typeof parse>[0]

describe('argv becomes options', () => {
  test.each<[string, Create, unknown[]]>([
    ['ada', add.createCommand, ['ada', { plan: 'free', role: 'user' }]],
    [
      'ada --plan pro-plus --role admin --email ada@x.example',
      add.createCommand,
      ['ada', { plan: 'pro-plus', role: 'admin', email: 'ada@x.example' }],
    ],
    ['', list.createCommand, []],
    ['ada', show.createCommand, ['ada']],
    ['ada pro', setPlan.createCommand, ['ada', 'pro']],
    ['ada admin', setRole.createCommand, ['ada', 'admin']],
    ['ada', setPassword.createCommand, ['ada', {}]],
    ['ada --with-password', setPassword.createCommand, ['ada', { withPassword: true }]],
    ['ada -y', remove.createCommand, ['ada', { yes: true }]],
    ['ada --name ci', createKey.createCommand, ['ada', { name: 'ci' }]],
    ['ada', listKeys.createCommand, ['ada']],
    ['0f8e', revokeKey.createCommand, ['0f8e', {}]],
    ['0f8e --only', revokeKey.createCommand, ['0f8e', { only: true }]],
    ['-u ada -n 5 -p 2', audit.createCommand, [{ user: 'ada', limit: 5, page: 2 }]],
    ['', audit.createCommand, [{}]],
    ['', retention.createCommand, []],
  ])('%j', async (line, create, expected) => {
    expect(await parse(create, line.split(' ').filter(Boolean))).toEqual(expected)
  })
})

describe('argv is refused', () => {
  test.each<[string, Create, string]>([
    ['', add.createCommand, "missing required argument 'name'"],
    ['ada --plan gold', add.createCommand, 'Allowed choices are free, pro, pro-plus.'],
    ['ada --role root', add.createCommand, 'Allowed choices are user, admin.'],
    ['ada gold', setPlan.createCommand, 'Allowed choices are free, pro, pro-plus.'],
    ['ada', setRole.createCommand, "missing required argument 'role'"],
    ['ada secret', setPassword.createCommand, 'too many arguments'],
    ['ada', createKey.createCommand, "required option '--name <name>' not specified"],
    ['--limit 0', audit.createCommand, 'Use a whole number from 1 to 100.'],
  ])('%j', async (line, create, message) => {
    await expect(parse(create, line.split(' ').filter(Boolean))).rejects.toThrow(message)
  })
})
