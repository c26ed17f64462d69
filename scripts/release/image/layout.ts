import { hash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { type TarEntry, tar } from '../tar.ts'
import { withFolders } from './root.ts'

export interface Descriptor {
  mediaType: string
  digest: string
  size: number
  platform?: { os: string; architecture: string }
  artifactType?: string
  annotations?: Record<string, string>
}

export interface ImageOptions {
  architecture: string
  /** Layers as `.tar.gz`, the lowest first. */
  layers: Buffer[]
  /** `config` of the image: entry point, user, variables, labels. */
  config: object
  /** Seconds since 1970. */
  time: number
}

const oci = 'application/vnd.oci'

/** Blobs of an OCI image layout, by digest. https://github.com/opencontainers/image-spec/blob/main/image-layout.md */
export class Layout {
  readonly blobs = new Map<string, Buffer>()

  add(mediaType: string, content: Buffer | object): Descriptor {
    const data = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
    const digest = `sha256:${hash('sha256', data)}`
    this.blobs.set(digest, data)
    return { mediaType, digest, size: data.length }
  }

  /** The manifest of an image for one processor. */
  addImage({ architecture, layers, config, time }: ImageOptions): Descriptor {
    const platform = { os: 'linux', architecture }
    const created = new Date(time * 1000).toISOString().replace('.000', '')
    const diffIds = layers.map((layer) => `sha256:${hash('sha256', gunzipSync(layer))}`)
    const configuration = this.add(`${oci}.image.config.v1+json`, {
      ...{ created, ...platform, config },
      rootfs: { type: 'layers', diff_ids: diffIds },
      history: layers.map(() => ({ created, created_by: 'npm run release' })),
    })
    return {
      ...this.addManifest(
        configuration,
        layers.map((layer) => this.add(`${oci}.image.layer.v1.tar+gzip`, layer)),
      ),
      platform,
    }
  }

  /** A document about an image, which registries list as its referrer. */
  addReferrer({ mediaType, digest, size }: Descriptor, artifactType: string, document: object): Descriptor {
    const config = this.add(`${oci}.empty.v1+json`, {})
    const manifest = this.addManifest(config, [this.add(artifactType, document)], {
      artifactType,
      subject: { mediaType, digest, size },
    })
    return { ...manifest, artifactType }
  }

  addIndex(manifests: Descriptor[], annotations: Record<string, string>): Descriptor {
    const mediaType = `${oci}.image.index.v1+json`
    return this.add(mediaType, { schemaVersion: 2, mediaType, manifests, annotations })
  }

  /** The layout as a tar file. `manifests` are the entries of its index. */
  pack(manifests: Descriptor[], time: number): Buffer {
    const files: TarEntry[] = [
      { path: 'oci-layout', data: '{"imageLayoutVersion":"1.0.0"}' },
      {
        path: 'index.json',
        data: JSON.stringify({ schemaVersion: 2, mediaType: `${oci}.image.index.v1+json`, manifests }),
      },
      ...[...this.blobs].map(([digest, data]) => ({ path: `blobs/${digest.replace(':', '/')}`, data })),
    ]
    return tar(withFolders(files), time)
  }

  private addManifest(config: Descriptor, layers: Descriptor[], further: object = {}): Descriptor {
    const mediaType = `${oci}.image.manifest.v1+json`
    return this.add(mediaType, { schemaVersion: 2, mediaType, ...further, config, layers })
  }
}
