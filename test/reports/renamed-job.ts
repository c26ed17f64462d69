import { type Row, scan } from './scan.ts'

/** A Job with five findings. */
export const job = (name: string, more: Partial<Row> = {}): Row[] =>
  [
    { check: 'SEC003', resource: `pod/${name}-x7k2p`, message: 'Container app runs as root' },
    { check: 'POD007', resource: `pod/${name}-x7k2p`, message: 'uses latest', value: 'ghcr.io/shop/app:latest' },
    { check: 'WRK005', resource: `pod/${name}-x7k2p`, message: 'Container app has no limits' },
    { check: 'JOB001', resource: `job/${name}`, message: `${name} is stuck` },
    { check: 'JOB002', resource: `job/${name}`, message: 'failed' },
  ].map((row) => ({ ...row, ...more }))

/** Reports of two days between which the names of these jobs changed: `app-migrate-41` → `app-migrate-42`. */
export const renamedJobs = (names = ['app-migrate']) =>
  [41, 42].map((number) =>
    scan(
      names.flatMap((name) => job(`${name}-${number}`)),
      { passed: ['POD010'] },
    ),
  )
