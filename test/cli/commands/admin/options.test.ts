import { describe, expect, test } from 'vitest'
import { audit as auditVerb } from '../../../../src/cli/commands/admin/noun.ts'
import { run as retentionVerb } from '../../../../src/cli/commands/admin/retention/noun.ts'
import {
  add as addVerb,
  list as listVerb,
  remove as removeVerb,
  setPassword as setPasswordVerb,
  setPlan as setPlanVerb,
  setRole as setRoleVerb,
  showUser as showVerb,
} from '../../../../src/cli/commands/admin/users/noun.ts'
import { parse } from '../../../helpers/output.ts'

type Create = Parameters<typeof parse>[0]

describe('argv becomes options', () => {
  test.each<[string, Create, unknown[]]>([
    ['ada', addVerb, ['ada', { plan: 'free', role: 'user' }]],
    [
      'ada --plan pro-plus --role admin --email ada@x.example',
      addVerb,
      ['ada', { plan: 'pro-plus', role: 'admin', email: 'ada@x.example' }],
    ],
    ['', listVerb, []],
    ['ada', showVerb, ['ada']],
    ['ada pro', setPlanVerb, ['ada', 'pro']],
    ['ada admin', setRoleVerb, ['ada', 'admin']],
    ['ada', setPasswordVerb, ['ada', {}]],
    ['ada --secret-file -', setPasswordVerb, ['ada', { secretFile: '-' }]],
    ['ada -y', removeVerb, ['ada', { yes: true }]],
    ['-u ada -n 5 -p 2', auditVerb, [{ user: 'ada', limit: 5, page: 2 }]],
    ['', auditVerb, [{}]],
    ['', retentionVerb, []],
  ])('%j', async (line, create, expected) => {
    expect(await parse(create, line.split(' ').filter(Boolean))).toEqual(expected)
  })
})

describe('argv is refused', () => {
  test.each<[string, Create, string]>([
    ['', addVerb, "missing required argument 'name'"],
    ['ada --plan gold', addVerb, 'Allowed choices are free, pro, pro-plus.'],
    ['ada --role root', addVerb, 'Allowed choices are user, admin.'],
    ['ada gold', setPlanVerb, 'Allowed choices are free, pro, pro-plus.'],
    ['ada', setRoleVerb, "missing required argument 'role'"],
    ['ada secret', setPasswordVerb, 'too many arguments'],
    ['--limit 0', auditVerb, 'Use a whole number from 1 to 100.'],
  ])('%j', async (line, create, message) => {
    await expect(parse(create, line.split(' ').filter(Boolean))).rejects.toThrow(message)
  })
})
