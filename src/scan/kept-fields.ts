import { entries, object, objects } from '../reports/formats/values.ts'

type Values = Record<string, unknown>

/** Some members of an object, as far as they are there. */
function pick(value: unknown, keys: readonly string[]): Values {
  const from = object(value)
  return Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])))
}

const words = (text: string) => text.split(' ')

const ofVulnerability = words('vulnerabilityID resource installedVersion fixedVersion severity packagePath target')
const ofSecret = words('ruleID severity target match')
const ofCheck = words('checkID severity success messages')

/**
 * Keeps of a report of Trivy's operator what its reader reads: a tenth of it. A title, which is the same in each report, stays where
 * it comes first.
 */
export class TrivyTrimmer {
  readonly #named = new Set<string>()

  trim({ apiVersion, kind, metadata, report }: Values): Values {
    const { namespace, name, labels, annotations, ownerReferences } = object(metadata)
    const own = Object.entries(object(labels)).filter(([key]) => key.startsWith('trivy-operator.'))
    const named = Object.entries(object(annotations)).filter(([key]) => key.startsWith('trivy-operator.resource.'))
    return {
      apiVersion,
      kind,
      metadata: {
        ...{ namespace, name, labels: Object.fromEntries(own) },
        ...(named.length > 0 && { annotations: Object.fromEntries(named) }),
        ...(own.length === 0 && { ownerReferences }),
      },
      report: this.#report(object(report)),
    }
  }

  /** A report of an image without what it is about, which several workloads share. */
  trimImage({ apiVersion, kind, report }: Values): Values {
    return { apiVersion, kind, report: this.#report(object(report)) }
  }

  /** Equal for reports that say the same of the same image. */
  identityOf({ report }: Values): string {
    const { artifact, registry, vulnerabilities, secrets } = object(report)
    return JSON.stringify([
      pick(artifact, words('repository tag digest')),
      object(registry).server,
      objects(vulnerabilities).map((row) => [...ofVulnerability, 'packagePURL'].map((key) => row[key])),
      objects(secrets).map((row) => ofSecret.map((key) => row[key])),
    ])
  }

  #report({ artifact, registry, vulnerabilities, secrets, checks }: Values): Values {
    return {
      ...(artifact !== undefined && { artifact: pick(artifact, words('repository tag digest')) }),
      ...(registry !== undefined && { registry: pick(registry, ['server']) }),
      ...this.#rows('vulnerabilities', withoutPlainUrls(vulnerabilities), [
        [...ofVulnerability, 'packagePURL'],
        words('title primaryLink'),
      ]),
      ...this.#rows('secrets', secrets, [ofSecret, ['title']]),
      ...this.#rows('checks', checks, [ofCheck, words('title remediation')]),
    }
  }

  #rows(member: string, rows: unknown, [kept, once]: [string[], string[]]): Values {
    if (rows === undefined) return {}
    return {
      [member]: objects(rows).map((row) => {
        const id = `${member} ${row[kept[0]!]}`
        const isNamed = this.#named.has(id)
        this.#named.add(id)
        return pick(row, isNamed ? kept : [...kept, ...once])
      }),
    }
  }
}

/** The URL of a package matters only where it sets two packages of one name apart. An empty path is none. */
function withoutPlainUrls(rows: unknown): unknown {
  if (!Array.isArray(rows)) return rows
  const all = objects(rows)
  const nameOf = ({ vulnerabilityID, resource }: Values) => `${vulnerabilityID} ${resource}`
  const counts = new Map<string, number>()
  for (const row of all) counts.set(nameOf(row), (counts.get(nameOf(row)) ?? 0) + 1)
  return all.map(({ packagePURL, target, ...row }) => ({
    ...row,
    ...(target !== '' && { target }),
    ...(counts.get(nameOf(row))! > 1 && { packagePURL }),
  }))
}

/** Keeps of a report of Kubescape's operator what its reader reads. */
export function trimKubescape({ apiVersion, kind, metadata, spec }: Values): Values {
  const { namespace, name, labels, annotations } = object(metadata)
  const own = (texts: unknown) =>
    Object.fromEntries(Object.entries(object(texts)).filter(([key]) => key.startsWith('kubescape.io/')))
  const controls = object(spec).controls
  return {
    ...{ apiVersion, kind, metadata: { namespace, name, labels: own(labels), annotations: own(annotations) } },
    ...(spec !== undefined && {
      spec: controls === undefined ? pick(spec, ['severities']) : { controls: trimmed(controls) },
    }),
  }
}

function trimmed(controls: unknown): Values {
  const kept = entries(controls).map(([key, control]) => [
    key,
    {
      ...pick(control, words('controlID name status')),
      severity: pick(control.severity, ['scoreFactor']),
      rules: objects(control.rules).map((rule) => ({
        paths: objects(rule.paths).map((path) => pick(path, words('failedPath fixPath reviewPath deletePath'))),
      })),
    },
  ])
  return Object.fromEntries(kept)
}

const ofResult = words('policy rule source category message description result status severity')

/** Keeps of a policy report what its reader reads. */
export function trimPolicy({ apiVersion, kind, metadata, source, scope, results }: Values): Values {
  const subject = (value: unknown) => pick(value, words('kind name namespace'))
  return {
    ...{ apiVersion, kind, metadata: pick(metadata, words('namespace name')) },
    ...(source !== undefined && { source }),
    ...(scope !== undefined && { scope: subject(scope) }),
    results: objects(results).map((row) => ({
      ...pick(row, ofResult),
      ...(row.properties !== undefined && { properties: pick(row.properties, ['exceptions']) }),
      ...(row.resources !== undefined && { resources: objects(row.resources).map(subject) }),
    })),
  }
}
