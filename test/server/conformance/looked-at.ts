/** Beyond the contract: what an answer rests on. */
export const basis = {
  catalog_date: /^\d{4}-\d\d-\d\d$/,
  looked_at: { subscriptions: 'integer', projects: 'integer', security_known: 'integer', 'truncated?': 'true' },
} as const

export const cluster = {
  cluster_name: 'string',
  environment: 'string',
  run_id: /^crun_[A-Za-z0-9-]+$/,
  seen_at: 'timestamp',
  artifacts: 'integer',
} as const
