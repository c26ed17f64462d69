import { globSync, readFileSync } from 'node:fs'
import { addArtifact, type Release } from './release-folder.ts'
import { gzip, type TarEntry, tar } from './tar.ts'

/** Where the chart's values name the images of nobody, and no digest. */
const image = (name: string) => `repository: registry.example/${name}, tag: '', digest: ''`

export interface ImageDigests {
  relt?: string | undefined
  'relt-agent'?: string | undefined
}

/** Adds the Helm chart, which names this release's images by their digests. */
export function addChart(release: Release, digests: ImageDigests): void {
  const { version, registry, time } = release
  const entries = globSync('charts/relt/{*,.helmignore,templates/*}', { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry): TarEntry => {
      const file = `${entry.parentPath}/${entry.name}`
      return { path: file.replace(/^charts\//, ''), data: readFileSync(file) }
    })
  const values = entries.find(({ path }) => path === 'relt/values.yaml')!
  values.data = String(values.data).replaceAll(/repository: [^']+'', digest: ''/g, (text) => {
    const name = (['relt', 'relt-agent'] as const).find((each) => text === image(each))
    if (!name) throw new Error(`charts/relt/values.yaml: ${text} is no image of a release`)
    return `repository: ${registry}/${name}, tag: '', digest: '${digests[name] ?? ''}'`
  })
  const data = gzip(tar(entries, time))
  addArtifact(release, { form: 'chart', file: `relt-${version}-chart.tgz`, data })
}
