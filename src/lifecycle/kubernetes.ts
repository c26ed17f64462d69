import eol from './data/kubernetes-eol.json' with { type: 'json' }

const lastSupportedDay: Record<string, string | undefined> = eol.last_supported_day

/** Day of the table of dates; a minor version that came later is not in it. */
export const eolGathered = eol.gathered

export interface KubernetesSupport {
  /** `1.33` */
  minor: string
  /** `YYYY-MM-DD`: the last day on which the Kubernetes project supports it. */
  lastDay: string
}

/** Undefined for what is no version, and for a minor version that the table does not know. */
export function supportOf(version: string): KubernetesSupport | undefined {
  const minor = /^v?(\d{1,3}\.\d{1,3})(?!\d)/.exec(version.trim())?.[1]
  const lastDay = minor && Object.hasOwn(lastSupportedDay, minor) ? lastSupportedDay[minor] : undefined
  return minor && lastDay ? { minor, lastDay } : undefined
}
