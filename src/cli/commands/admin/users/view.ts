import { planNames } from '../../../../config/plans.ts'
import type { Account } from '../../../../contract/account.ts'
import type { Column } from '../../../../render/terminal/table.ts'
import { plain } from '../../../../render/terminal/terminal.ts'
import { titles } from '../../../../views/titles.ts'
import { renderDetails } from '../../../output/details.ts'
import type { Io } from '../../../output/io.ts'

export const accountColumns = ({ color }: Io): Column<Account>[] => [
  { title: titles.name, value: (account) => account.login, style: (cell) => color.bold(cell), min: 8 },
  { title: 'Plan', value: (account) => planNames[account.plan] },
  { title: titles.role, value: (account) => account.role },
  { title: 'Keys', value: (account) => String(account.keys), align: 'right' },
  { title: titles.password, value: passwordFor },
  { title: titles.state, value: toState },
  { title: titles.created, value: (account) => account.created, from: 90 },
  { title: titles.email, value: (account) => account.email, min: 8 },
]

export function renderAccount(io: Io, account: Account): string {
  return renderDetails(io, [
    ['Name', io.color.bold(plain(account.login))],
    ['Plan', planNames[account.plan]],
    ['Role', account.role],
    ['Email', plain(account.email ?? '-')],
    ['Keys', String(account.keys)],
    ['Password', passwordFor(account) ?? '-'],
    ['State', toState(account)],
    ['Created', account.created],
  ])
}

const toState = ({ disabled_at }: Account): string => (disabled_at === null ? 'enabled' : `disabled ${disabled_at}`)
const passwordFor = (account: Account): string | null => (account.has_password ? 'set' : null)
