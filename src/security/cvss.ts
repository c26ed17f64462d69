import cvss from 'ae-cvss-calculator'

const baseOf3 = ['AV', 'AC', 'PR', 'UI', 'S', 'C', 'I', 'A']
const versions = [
  { begins: 'AV:', base: ['AV', 'AC', 'Au', 'C', 'I', 'A'], read: (vector: string) => new cvss.Cvss2(vector) },
  { begins: 'CVSS:3.0/', base: baseOf3, read: (vector: string) => new cvss.Cvss3P0(vector) },
  { begins: 'CVSS:3.1/', base: baseOf3, read: (vector: string) => new cvss.Cvss3P1(vector) },
  {
    begins: 'CVSS:4.0/',
    base: ['AV', 'AC', 'AT', 'PR', 'UI', 'VC', 'VI', 'VA', 'SC', 'SI', 'SA'],
    read: (vector: string) => new cvss.Cvss4P0(vector),
  },
]

const plain = /:[A-Z]$/
/** A CVSS 4.0 vector with all metrics has fewer than 250 characters. */
const longest = 300

/** Base score of a vector of CVSS 2.0, 3.x or 4.0; undefined if invalid. NVD writes those of 2.0 in parentheses. */
export function baseScore(text: string) {
  const vector = text.trim().replace(/^\((.+)\)$/, '$1')
  const version = versions.find(({ begins }) => vector.startsWith(begins))
  if (!version || vector.length > longest) return undefined
  // Filters metrics, because the library logs unknown input to the console.
  const metrics = vector.split('/').filter((metric) => version.base.includes(metric.slice(0, -2)) && plain.test(metric))
  // A metric that is repeated is invalid.
  if (metrics.length !== version.base.length) return undefined
  try {
    const read = version.read(metrics.join('/'))
    return read.isBaseFullyDefined() ? read.calculateScores().overall : undefined
  } catch {
    return undefined
  }
}
