import { parseRule } from '../contract/gate-rule.ts'

/** When a rule passes, as a sentence; undefined for an invalid rule. */
export function passesWhen(text: string): string | undefined {
  const rule = parseRule(text)
  if (!rule) return undefined
  switch (rule.kind) {
    case 'score':
      return `a score of at least ${rule.limit}`
    case 'score-drop':
      return `a score that fell by at most ${rule.limit}`
    case 'new':
    case 'regressed':
      return `${atMost(rule.allowed)} ${rule.kind} findings of severity ${rule.severity} or worse`
    case 'more':
      return `${atMost(rule.allowed)} known findings of severity ${rule.severity} or worse whose count rises`
    case 'findings':
      return `${atMost(rule.allowed)} findings of severity ${rule.severity} or worse`
    case 'affected':
      return `${atMost(rule.allowed)} artifacts with an advisory of severity ${rule.severity} or worse`
    case 'fixable':
      return `${atMost(rule.allowed)} artifacts with such an advisory whose line has a fix`
    case 'security-behind':
      return `${atMost(rule.allowed)} artifacts behind a security fix of severity ${rule.severity} or worse`
    case 'exploited':
      return `${atMost(rule.allowed)} exploited vulnerabilities`
    case 'compromised':
      return 'no compromised artifact'
    case 'major-behind':
      return `${atMost(rule.allowed)} artifacts behind by a major version`
    case 'eol':
      return `${atMost(rule.allowed)} versions out of support`
    case 'kubernetes-eol':
      return 'a version of Kubernetes that is supported'
    case 'skew':
      return 'no kubelet that the API server does not allow'
    case 'aks-blockers':
      return `${atMost(rule.allowed)} blockers of AKS Automatic`
    case 'upgrade-blockers':
      return 'nothing that blocks the upgrade'
    case 'no-new-risk-path':
      return 'no risk path that opened'
  }
}

const atMost = (allowed: number): string => (allowed === 0 ? 'no' : `at most ${allowed}`)
