import type { AssessedChart } from './assess-charts.ts'
import type { AssessedImage } from './assess-images.ts'

/** An image that a chart installs is upgraded with the chart; otherwise the chart's next rollout reverts it. */
export function inheritFromCharts(images: AssessedImage[], charts: AssessedChart[]) {
  if (charts.length === 0) return images
  const bringers = indexCharts(charts)
  return images.map((image) => {
    const chart = bringerFor(image, bringers)
    if (!chart) return image
    const installedBy = { name: chart.artifacts[0]!.name, status: chart.verdict.status }
    return { ...image, installedBy, isInherited: true }
  })
}

/**
 * Looks up by chart and place, or by chart alone if the report names another place; of several charts, the one to upgrade.
 */
function bringerFor({ artifacts }: AssessedImage, bringers: Map<string, AssessedChart>) {
  const found = artifacts.flatMap(({ helmChart, helmRelease, namespace }) => {
    if (helmChart === null) return []
    return bringers.get(placeKey(helmChart, helmRelease, namespace)) ?? bringers.get(helmChart) ?? []
  })
  return found.reduce(toUpgrade, undefined)
}

function indexCharts(charts: AssessedChart[]) {
  const index = new Map<string, AssessedChart>()
  for (const chart of charts) {
    for (const { name, version, release, namespace } of chart.artifacts) {
      for (const called of [name, `${name}-${version}`]) {
        for (const key of [called, placeKey(called, release, namespace)]) {
          index.set(key, toUpgrade(index.get(key), chart))
        }
      }
    }
  }
  return index
}

const placeKey = (...parts: (string | null)[]) => parts.join(' ')

/** Prefers outdated charts, then unknown ones, then up-to-date ones. */
function toUpgrade(one: AssessedChart | undefined, other: AssessedChart) {
  return one && urgency(one) >= urgency(other) ? one : other
}

function urgency({ verdict: { status } }: AssessedChart) {
  return status === 'up_to_date' ? 0 : status === 'unknown' ? 1 : 2
}
