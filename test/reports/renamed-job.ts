import { type Row, type ScanOptions, scan } from './scan.ts'

/** A Job with five findings. */
export const job = (name: string, more: Partial<Row> = {}): Row[] =>
  [
    { check: 'SEC003', resource: `pod/${name}-x7k2p`, message: 'Container app runs as root' },
    { check: 'POD007', resource: `pod/${name}-x7k2p`, message: 'uses latest', value: 'ghcr.io/shop/app:latest' },
    { check: 'WRK005', resource: `pod/${name}-x7k2p`, message: 'Container app has no limits' },
    { check: 'JOB001', resource: `job/${name}`, message: `${name} is stuck` },
    { check: 'JOB002', resource: `job/${name}`, message: 'failed' },
  ].map((row) => ({ ...row, ...more }))

/** Reports of two days between which its name changed. */
export const renamedJobs = (options: ScanOptions = {}) =>
  ['app-migrate-41', 'app-migrate-42'].map((name) => scan(job(name), { passed: ['POD010'], ...options }))
