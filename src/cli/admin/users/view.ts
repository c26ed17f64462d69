import { planNames } from '../../../config/plans.ts'
import type { Account } from '../../../contract/account.ts'
import { type Io, plain } from '../../io.ts'
import type { Column } from '../../table.ts'

export const accountColumns = ({ color }: Io): Column<Account>[] => [
  { title: 'Name', value: (account) => account.login, style: (cell) => color.bold(cell), min: 8 },
  { title: 'Plan', value: (account) => planNames[account.plan] },
  { title: 'Role', value: (account) => account.role },
  { title: 'Keys', value: (account) => String(account.keys), align: 'right' },
  { title: 'Password', value: passwordOf },
  { title: 'Created', value: (account) => account.created, from: 90 },
  { title: 'E-mail', value: (account) => account.email ?? '-', min: 8 },
]

export function renderAccount(account: Account): string {
  const lines: [string, string][] = [
    ['Name', account.login],
    ['Plan', planNames[account.plan]],
    ['Role', account.role],
    ['E-mail', account.email ?? '-'],
    ['Keys', String(account.keys)],
    ['Password', passwordOf(account)],
    ['Created', account.created],
  ]
  return lines.map(([label, value]) => `${label.padEnd(10)}${plain(value)}\n`).join('')
}

const passwordOf = (account: Account): string => (account.has_password ? 'set' : '-')
