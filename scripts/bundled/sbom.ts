import { version } from '../../src/version.ts'
import type { BundledPackage } from './packages.ts'

/**
 * A CycloneDX 1.6 document of relt and what is in it. It has neither a time nor a serial number, so that the same sources
 * make the same document. `uses` are the package URLs of what relt itself uses.
 */
export function makeSbom(packages: BundledPackage[], uses: string[]): object {
  const relt = `pkg:npm/relt@${version}`
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': relt,
        name: 'relt',
        version,
        licenses: [{ license: { id: 'MIT' } }],
        purl: relt,
      },
    },
    components: packages.map(toComponent),
    dependencies: [
      { ref: relt, dependsOn: uses.toSorted() },
      ...packages.map((each) => ({ ref: each.purl, dependsOn: each.uses.toSorted() })),
    ],
  }
}

function toComponent({ name, version, license, purl, homepage, archive }: BundledPackage): object {
  const references = [
    ...(homepage === undefined ? [] : [{ type: 'website', url: homepage }]),
    ...(archive === undefined
      ? []
      : [{ type: 'distribution', url: archive.url, hashes: [{ alg: 'SHA-512', content: archive.sha512 }] }]),
  ]
  return {
    type: name === 'node' ? 'platform' : 'library',
    'bom-ref': purl,
    ...nameParts(name),
    ...(version !== undefined && { version }),
    ...(license !== '' && { licenses: [licenseFor(license)] }),
    ...(name in cpes && { cpe: `cpe:2.3:a:${cpes[name]}:${upstream(version)}:*:*:*:*:*:*:*` }),
    purl,
    ...(references.length > 0 && { externalReferences: references }),
  }
}

/** Vulnerabilities of these are listed by CPE, not by package URL. */
const cpes: Record<string, string> = {
  node: 'nodejs:node.js',
  sqlite: 'sqlite:sqlite',
  openssl: 'openssl:openssl',
  v8: 'google:v8',
  zlib: 'zlib:zlib',
  zstd: 'facebook:zstandard',
  brotli: 'google:brotli',
  icu: 'icu-project:international_components_for_unicode',
  nghttp2: 'nghttp2:nghttp2',
  uv: 'libuv:libuv',
  ares: 'c-ares:c-ares',
  llhttp: 'llhttp:llhttp',
  undici: 'nodejs:undici',
}

/** Node adds its own mark to versions: `13.6.233.17-node.53`, `1.3.2.1-motley-8002e91`. */
const upstream = (version = '*'): string => version.replace(/-(?:node|motley).*$/, '')

function nameParts(name: string): { group?: string; name: string } {
  const [scope, rest] = name.split('/')
  return rest === undefined ? { name } : { group: scope!, name: rest }
}

function licenseFor(license: string): object {
  return /[ ()]/.test(license) ? { expression: license } : { license: { id: license } }
}
