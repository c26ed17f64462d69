import { perTables } from './tables.ts'

interface OfferingCycle {
  /** Minor version of Kubernetes. */
  cycle: string
  /** Last day of standard support. */
  eol: string
  /** Last day of paid extended support. */
  extended?: string | undefined
  source: string
}

interface OfferingCycles {
  /** Day of the facts, `YYYY-MM-DD`. */
  as_of: string
  /** Newest first. */
  cycles: OfferingCycle[]
}

type Row = [cycle: string, eol: string, extended?: string]

const offeringsOf = perTables(
  ({ offerings }) =>
    new Map(
      Object.entries(offerings).map(([id, { product, as_of, cycles }]): [string, OfferingCycles] => {
        const source = `https://endoflife.date/${product}`
        const toMinor = id === 'openshift' ? kubernetesOfOpenShift : (line: string) => line
        const read = (cycles as Row[]).map(([line, eol, extended]) => ({ cycle: toMinor(line), eol, extended, source }))
        return [id, { as_of, cycles: read }]
      }),
    ),
)

/** The minor versions that an offering supports or has supported; undefined if only upstream's dates are known. */
export const offeringCycles = (id: string) => offeringsOf().get(id)

/** The Kubernetes minor version of an OpenShift version: `4.17.3` → `1.30`; undefined unless it is OpenShift 4. */
export function openShiftKubernetes(version: string) {
  const [line] = /^v?4\.\d{1,2}(?![\d])/.exec(version.trim()) ?? []
  return line && kubernetesOfOpenShift(line)
}

/** The Kubernetes version in an OpenShift release, by https://access.redhat.com/solutions/4870701: 4.18 has 1.31. */
function kubernetesOfOpenShift(line: string) {
  const minor = Number(line.split('.')[1])
  return `1.${minor < 3 ? minor + 12 : minor + 13}`
}

/** Ids of offerings with their own support dates. */
export const offeringIds = () => [...offeringsOf().keys()]

/** The minor versions that an offering lists; all, if its list is unknown. */
export function offeredMinors(minors: readonly string[], offering: string | undefined) {
  const own = offering === undefined ? undefined : offeringCycles(offering)
  return own ? minors.filter((minor) => own.cycles.some(({ cycle }) => cycle === minor)) : minors
}
