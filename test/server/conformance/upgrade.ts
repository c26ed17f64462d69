import type { Table } from './table.ts'
import { inQuery, list, otherThan, required, type Values, words } from './values.ts'

const counts = {
  ...{ critical: 'integer', high: 'integer', medium: 'integer', low: 'integer', unrated: 'integer' },
  exploited: 'integer',
}
const evidence = {
  kind: 'required|supported|tested|chart|rule|skew|removal|support|advisory|retired|withdrawn|compromised|none',
  ...{ says: 'string', source: 'string?', as_of: 'string?', 'own?': 'true' },
}
const api = {
  ...{ group: 'string', version: 'string', kind: 'string', removed_in: 'string', replacement: 'string?' },
  ...{ source: 'string', 'planned?': 'true', used_by: 'anything' },
}
const part = {
  ...{ project_slug: 'string', name: 'string', current_version: 'string?' },
  ...{ needs: 'ok|upgrade_before|blocked|unknown', to_version: 'string?', via: 'anything', evidence: [evidence] },
  ...{ coupled: 'boolean', 'paired?': 'true', workloads: 'anything' },
}
const step = {
  ...{ number: 'integer', hop: 'string?', kind: 'part|kubernetes|nodes', when: 'before|kubernetes|nodes|after' },
  ...{ project_slug: 'string', name: 'string', from: 'string', to: 'string', via: 'anything', why: 'anything' },
  ...{ fixes: counts, breaks: 'anything', removed_apis: 'anything', manual: 'anything', support: 'anything' },
  ...{ way_back: 'string', 'irreversible?': 'true', evidence: 'anything', workloads: 'anything' },
}
const hop = {
  ...{ from: 'string', to: 'string', version: 'string?', support_before: 'anything', support_after: 'anything' },
  ...{ removed_apis: [api], rules: [evidence], steps: ['integer'] },
}
const answer = {
  ...{ success: 'true', verdict: 'ready|warnings|blocked|undetermined', catalog_date: 'string' },
  ...{ kubernetes: 'string?', from: 'string?', to: 'string' },
  reasons: [{ word: 'blocked|undetermined|not_stated', project_slug: 'string?', says: 'string' }],
  ...{ parts: [part], hops: [hop], steps: [step], missing: [{ what: 'string', how: 'string' }] },
}
const basis = {
  ...{ cluster_name: 'string', environment: 'string', provider: 'string?', run_id: /^crun_[A-Za-z0-9-]+$/ },
  ...{ seen_at: 'timestamp', artifacts: 'integer', parts_with_facts: 'integer', parts: 'integer' },
  ...{ unknown: 'integer', managed: 'integer', others: 'integer' },
}

const target: Values = {
  ok: ['1.36', 'v1.36.2', '1.36.1-eks-1', 'latest', 'supported'],
  bad: ['', ' ', 'x', '1', '1.x', 'newest', '1.36 ', `1.36.${'1'.repeat(100)}`, ['1.36', '1.37']],
  inside: { ok: [], bad: otherThan('text') },
}
const running: Values = {
  ok: ['3.5.0', 'v3.5.0', ' 3.5.0 '],
  bad: ['', ' ', 'x', '__proto__', '1'.repeat(257), ['1.0.0', '2.0.0']],
  inside: { ok: [], bad: otherThan('text') },
}
/** Without one it is the newest. */
const reached: Values = {
  ...running,
  ok: [...running.ok, '', ' '],
  bad: running.bad.filter((each) => `${each}`.trim()),
}
const inBody = { ok: target.ok, bad: [...target.bad, ...otherThan('text')] }

/** All of it is beyond the contract. */
export const upgradeTable: Table<'getUpgradePlan' | 'getFleetUpgrade' | 'checkUpgrade' | 'getUpgradePath'> = {
  getUpgradePlan: {
    good: () => ({ query: { cluster_name: 'shop', to: '1.36' } }),
    query: {
      cluster_name: inQuery.line(253),
      environment: inQuery.line(100),
      run_id: inQuery.runId,
      to: target,
      projects: inQuery.line(2000),
    },
    answer: { ...answer, parts: 'anything', basis },
    mayFindNothing: true,
  },
  getFleetUpgrade: {
    good: () => ({ query: { to: '1.36', environments: 'staging,prod' } }),
    query: { label: inQuery.line(100), to: target, environments: inQuery.line(1000) },
    answer: {
      ...{ success: 'true', catalog_date: 'string', clusters: 'anything', steps: 'anything', not_planned: 'anything' },
      summary: {
        clusters: 'integer',
        ready: 'integer',
        warnings: 'integer',
        blocked: 'integer',
        undetermined: 'integer',
      },
    },
    mayFindNothing: true,
  },
  checkUpgrade: {
    good: () => ({
      body: {
        ...{ kubernetes: '1.33', to: '1.35' },
        parts: [
          { project_slug: 'keda', version: '2.18.3' },
          { project_slug: 'no-such', version: '1' },
        ],
      },
    }),
    body: {
      kubernetes: required(words(100)),
      to: required(inBody),
      parts: required(list(500, { project_slug: 'keda', version: '2.18.3' })),
      'parts.0': { ok: [], bad: otherThan('object') },
      'parts.0.project_slug': required(words(200)),
      'parts.0.version': required(words(256)),
    },
    answer,
    mayFindNothing: true,
  },
  getUpgradePath: {
    good: () => ({ query: { project: 'argo-cd', version: '3.5.0' } }),
    query: { project: required(inQuery.words(200)), version: required(running), to: reached },
    answer: {
      ...{ success: 'true', catalog_date: 'string', project_slug: 'string', name: 'string', from: 'string' },
      ...{ to: 'string?', because: 'anything', steps: 'anything' },
    },
    mayFindNothing: true,
  },
}
