import type { AcceptedScope } from '../../contract/cluster-report.ts'
import type { ReceivedComparison, ReceivedFreshnessItem, ReceivedRun } from '../../contract/received/cluster-report.ts'
import type { Step, Steps } from '../../contract/step.ts'
import { namesPlace } from '../../reports/place-check.ts'
import { withoutRest } from './findings.ts'
import { namespacesOf } from './namespaces.ts'
import type { ListedFindings, MissingPart, Part, Redaction, RunReport } from './report.ts'

interface Place {
  namespace: string | null
  resource: string | null
  message: string | null
  value?: string | null
}

/**
 * Replaces what must not leave the company by numbered words: one name has one word on the whole page and in its file of
 * findings. Free texts can contain any name, so names and namespaces take them away. Scanners' texts about checks stay.
 */
export class Redactor {
  readonly #kinds: Set<Redaction>
  readonly #words = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  readonly #namespaces: Set<string>

  constructor(report: RunReport, kinds: Redaction[]) {
    this.#kinds = new Set(kinds)
    this.#namespaces = new Set(
      kinds.includes('namespaces') ? namespacesOf(report).map((each) => each.toLowerCase()) : [],
    )
  }

  report(report: RunReport): RunReport {
    if (this.#kinds.size === 0) return report
    return {
      ...report,
      redacted: [...this.#kinds],
      server: null,
      run: this.#run(report.run),
      gate: change(report.gate, (gate) => this.#gate(gate)),
      comparison: change(report.comparison, (comparison) => this.#comparison(comparison)),
      findings: change(report.findings, (findings) => this.findings(withoutRest(findings))),
      freshness: change(report.freshness, (freshness) => ({
        ...freshness,
        items: freshness.items.map((item) => this.#artifact(item)),
      })),
      trends: change(report.trends, ({ days, points }) => ({
        days,
        points: points.map((point) => ({ ...point, run_id: point.run_id && this.#id(point.run_id) })),
      })),
    }
  }

  findings(findings: ListedFindings): ListedFindings {
    if (this.#kinds.size === 0) return findings
    return {
      ...findings,
      items: findings.items.map((finding) => this.#finding(finding)),
      suppressed: findings.suppressed.map((finding) => ({
        ...this.#finding(finding),
        reason: this.#free(finding.reason),
      })),
      excluded_namespaces: findings.excluded_namespaces?.map((each) => this.#namespace(each)) ?? null,
    }
  }

  #run(run: ReceivedRun): ReceivedRun {
    const hides = this.#kinds.has('names')
    const { report: _, ...rest } = run
    return {
      ...rest,
      run_id: this.#id(run.run_id),
      cluster_name: hides ? 'A cluster' : run.cluster_name && this.#hideNamespaces(run.cluster_name),
      environment: hides ? 'environment left out' : run.environment && this.#hideNamespaces(run.environment),
      source: hides ? null : run.source && this.#hideNamespaces(run.source),
      ci: hides || this.#kinds.has('ids') || this.#hasNamespace(Object.values(run.ci ?? {}).join(' ')) ? null : run.ci,
      checks_not_run: run.checks_not_run?.map(({ check_id, name, reason }) => ({
        ...this.#check({ check_id, name }),
        reason: this.#text(reason),
      })),
      accepted_scope: run.accepted_scope && this.#scope(run.accepted_scope),
      first_seen_checks: run.first_seen_checks?.map((id) => this.#checkId(id)),
      missing_checks: run.missing_checks?.map((id) => this.#checkId(id)),
      risk_paths:
        run.risk_paths?.map((path) => ({ ...path, summary: this.#free(path.summary), evidence: [] })) ?? run.risk_paths,
    }
  }

  #scope(scope: AcceptedScope): AcceptedScope {
    const { run_id, accepted_by, reason, missing_checks, missing_namespaces } = scope
    return {
      ...scope,
      run_id: run_id && (this.#id(run_id) || null),
      accepted_by: accepted_by && this.#person(accepted_by),
      reason: this.#free(reason),
      missing_checks: missing_checks.map((id) => this.#checkId(id)),
      missing_namespaces: missing_namespaces.map((each) => this.#namespace(each)),
    }
  }

  #gate(gate: NonNullable<RunReport['gate']['found']>): NonNullable<RunReport['gate']['found']> {
    const [hides, hidesIds] = [this.#kinds.has('names'), this.#kinds.has('ids')]
    return {
      ...gate,
      policies: gate.policies?.map((each) => ({
        ...each,
        by: this.#person(each.by),
        policy: {
          name: hides ? this.#word('policy', each.policy.name) : this.#hideNamespaces(each.policy.name),
          digest: hidesIds ? '' : each.policy.digest,
        },
        rules: each.rules.map((rule) => ({ ...rule, reason: this.#text(rule.reason) })),
        exceptions: each.exceptions.map((exception) => ({
          ...exception,
          source:
            hides || hidesIds ? this.#word('exception', exception.source) : this.#hideNamespaces(exception.source),
          reason: this.#text(exception.reason),
        })),
        accept_scope: each.accept_scope?.map((entry) => ({
          ...entry,
          source: hides || hidesIds ? this.#word('entry', entry.source) : this.#hideNamespaces(entry.source),
          reason: this.#text(entry.reason),
        })),
      })),
    }
  }

  #comparison(comparison: ReceivedComparison): ReceivedComparison {
    const all = <T extends Place>(findings: T[]): T[] =>
      findings.map((finding) => ({
        ...this.#finding(finding),
        ...(this.#hidesTexts() && { from: undefined, to: undefined }),
      }))
    const { scope_changes: scope, risk_paths: paths } = comparison
    return {
      ...comparison,
      cluster_name: null,
      from: comparison.from && this.#run(comparison.from),
      to: comparison.to && this.#run(comparison.to),
      new_findings: all(comparison.new_findings),
      resolved_findings: all(comparison.resolved_findings),
      regressed_findings: all(comparison.regressed_findings),
      ...(comparison.first_seen_findings && { first_seen_findings: all(comparison.first_seen_findings) }),
      ...(comparison.back_in_scope_findings && { back_in_scope_findings: all(comparison.back_in_scope_findings) }),
      ...(comparison.changed_findings && { changed_findings: all(comparison.changed_findings) }),
      renamed_workloads: undefined,
      ...(comparison.event_findings && { event_findings: all(comparison.event_findings) }),
      ...(comparison.suppressed_findings && {
        suppressed_findings: all(comparison.suppressed_findings).map((each) => ({
          ...each,
          reason: this.#free(each.reason),
        })),
      }),
      incomparable_findings: comparison.incomparable_findings?.map(({ detail, ...rest }) => ({
        ...this.#check(rest),
        ...(detail !== undefined && !this.#hidesTexts() && { detail }),
      })),
      scope_changes: scope && {
        ...scope,
        namespaces_excluded: scope.namespaces_excluded.map((each) => this.#namespace(each)),
        namespaces_included: scope.namespaces_included.map((each) => this.#namespace(each)),
        checks_removed: scope.checks_removed.map((id) => this.#checkId(id)),
        checks_added: scope.checks_added.map((id) => this.#checkId(id)),
      },
      risk_paths: paths && {
        opened: paths.opened.map((path) => ({ ...path, summary: this.#free(path.summary), evidence: [] })),
        closed: paths.closed.map((path) => ({ ...path, summary: this.#free(path.summary), evidence: [] })),
        incomparable: paths.incomparable.map((path) => ({ ...path, reason: this.#text(path.reason) })),
      },
    }
  }

  /** Names of checks come from the scanner, but a check that did not run may be named after a resource. */
  #check<T extends { check_id: string; name?: string; check_name?: string }>(check: T): T {
    if (!this.#hidesTexts() || !namesPlace(check.check_id)) return check
    const word = this.#word('check', check.check_id)
    return {
      ...check,
      check_id: word,
      ...(check.name !== undefined && { name: word }),
      ...(check.check_name !== undefined && { check_name: word }),
    }
  }

  #checkId(check_id: string): string {
    return this.#check({ check_id }).check_id
  }

  #person(login: string): string {
    return this.#kinds.has('names') ? this.#word('person', login) : this.#hideNamespaces(login)
  }

  /** The fingerprint of a finding can be guessed from its names. */
  #finding<T extends Place>(finding: T): T {
    const texts = this.#hidesTexts() ? { message: this.#text(finding.message ?? ''), value: null } : {}
    return {
      ...finding,
      fingerprint: '',
      namespace: finding.namespace === null ? null : this.#namespace(finding.namespace),
      resource: finding.resource === null ? null : this.#resource(finding.resource),
      ...texts,
    }
  }

  /** An image or app is named by its owner, and Kubernetes by itself. */
  #artifact(item: ReceivedFreshnessItem): ReceivedFreshnessItem {
    if (item.artifact_type === 'kubernetes') return item
    const key = item.display_name ?? item.artifact_key ?? ''
    const own = this.#kinds.has('names') ? this.#word(item.artifact_type ?? 'artifact', key) : this.#hideNamespaces(key)
    return {
      ...item,
      artifact_key: own,
      display_name: own,
      current_version: item.current_version && this.#version(item.current_version),
      namespace: item.namespace === null ? null : this.#namespace(item.namespace),
      workloads: this.#hidesTexts() ? [] : item.workloads,
      reason: this.#free(item.reason),
      recommendation: this.#free(item.recommendation),
      steps: item.steps && mapSteps(item.steps, (step) => this.#step(step)),
      step_reasons: item.step_reasons?.map((text) => this.#text(text)),
      facts: item.facts?.map((fact) => ({ ...fact, what: this.#text(fact.what) })),
      notes: item.notes?.map((note) => ({ ...note, what: this.#text(note.what) })),
    }
  }

  /** Where to get it from says what runs. */
  #step({ image: _, chart: __, version, via, because, ...step }: Step): Step {
    const shown = { version: this.#version(version), via: via.map((stop) => this.#version(stop)) }
    return { ...step, ...shown, because: because.map((text) => this.#text(text)) }
  }

  /** A tag can name a branch, a team or a customer: only numbers and words of releases stay. */
  #version(version: string): string {
    if (!this.#kinds.has('names')) return this.#hideNamespaces(version)
    const [whole = '', numbers] = /^(v?\d+(?:\.\d+)*)(?:[-.+]?(?:alpha|beta|rc)[-.]?\d*)?/i.exec(version) ?? []
    return whole === version ? version : numbers === undefined ? 'left out' : `${numbers}-…`
  }

  #namespace(name: string): string {
    return this.#kinds.has('namespaces') ? this.#word('namespace', name) : name
  }

  /** `deployment/cart` → `deployment/name-3`: the kind says nothing about its owner. */
  #resource(resource: string): string {
    if (!this.#kinds.has('names')) return this.#hideNamespaces(resource)
    const [, kind] = /^([A-Za-z]{1,40})\/./.exec(resource) ?? []
    return `${kind && kinds.has(kind.toLowerCase()) ? `${kind}/` : ''}${this.#word('name', resource)}`
  }

  /** A text that contains a namespace goes as a whole. */
  #hideNamespaces(text: string): string {
    return this.#hasNamespace(text) ? this.#word('name', text) : text
  }

  /** Also in capitals: names of pipelines and branches are written in any way. */
  #hasNamespace(text: string): boolean {
    const lower = text.toLowerCase()
    const isNamed = lower.split(/[^a-z0-9-]+/).some((part) => this.#namespaces.has(part))
    return isNamed || [...this.#namespaces].some((each) => each.length > 2 && lower.includes(each))
  }

  #hidesTexts(): boolean {
    return this.#kinds.has('names') || this.#kinds.has('namespaces')
  }

  #text(text: string): string {
    return this.#hidesTexts() ? 'left out' : text
  }

  #free<T extends string | null | undefined>(text: T): T {
    return (text && this.#hidesTexts() ? 'left out' : text) as T
  }

  #id(id: string): string {
    return this.#kinds.has('ids') ? '' : id
  }

  #word(kind: string, text: string): string {
    const key = `${kind}\n${text}`
    const known = this.#words.get(key)
    if (known) return known
    const number = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, number)
    const word = `${kind.replace('helm_', '')}-${number}`
    this.#words.set(key, word)
    return word
  }
}

/** Kinds whose words say nothing about a company; a custom resource may be named after one. */
const kinds = new Set(
  (
    'pod deployment statefulset daemonset replicaset job cronjob service ingress configmap secret serviceaccount role ' +
    'rolebinding clusterrole clusterrolebinding networkpolicy node namespace persistentvolume persistentvolumeclaim ' +
    'storageclass horizontalpodautoscaler poddisruptionbudget container image'
  ).split(' '),
)

function change<T>(part: Part<T>, by: (found: T) => T): Part<T> {
  if (part.found !== undefined) return { found: by(part.found) }
  const { isForeign } = part as MissingPart
  return isForeign ? { missing: 'The server did not answer this part. Its reason is left out.' } : part
}

function mapSteps({ urgent, clean, line, next, newest }: Steps, change: (step: Step) => Step): Steps {
  const changed = (step: Step | null) => step && change(step)
  return {
    ...{ urgent: changed(urgent), clean: changed(clean), line: changed(line) },
    ...{ next: changed(next), newest: changed(newest) },
  }
}
