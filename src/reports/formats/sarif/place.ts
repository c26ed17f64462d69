import { string } from '../../text.ts'
import { object, objects, type Values } from '../values.ts'

/** Files and logical locations of a run, which results may reference by index. */
export class ResultPlaces {
  readonly #files: Values[]
  readonly #logical: Values[]

  constructor({ artifacts, logicalLocations }: Values) {
    this.#files = objects(artifacts).map((artifact) => object(artifact.location))
    this.#logical = objects(logicalLocations)
  }

  of(result: Values) {
    const locations = objects(result.locations).map((location) => this.#read(location))
    const related = objects(result.relatedLocations).map((location) => this.#read(location))
    const [first] = locations
    const named = first?.names[0] ?? first?.uri
    return {
      place: { namespace: null, resource: named?.replace(versions, '') ?? null },
      // The files with lines, as displayed.
      shown: shorten(locations.flatMap(({ uri, at }) => (uri ? `${uri}${at}` : []))),
      // The files and logical locations, without lines.
      names: locations.map(({ uri = '', names }) => [uri, ...names].join('\t')).join('\n'),
      // All location details in the result.
      exact: JSON.stringify([locations, related]),
    }
  }

  #read(location: Values) {
    const { artifactLocation, region } = object(location.physicalLocation)
    const file = object(artifactLocation)
    const indexed = typeof file.index === 'number' ? this.#files[file.index] : undefined
    const { startLine, startColumn, endLine, endColumn, charOffset, byteOffset } = object(region)
    const line = typeof startLine === 'number' ? `:${startLine}` : ''
    const column = line && typeof startColumn === 'number' && startColumn > 1 ? `:${startColumn}` : ''
    return {
      uri: string(file.uri) ?? string(indexed?.uri),
      // `:line:column`
      at: line + column,
      names: objects(location.logicalLocations).flatMap((logical) => this.#toName(logical)),
      rest: [endLine, endColumn, charOffset, byteOffset, object(location.message).text],
    }
  }

  #toName(logical: Values) {
    const indexed = typeof logical.index === 'number' ? object(this.#logical[logical.index]) : {}
    const name =
      string(logical.fullyQualifiedName) ??
      string(indexed.fullyQualifiedName) ??
      string(logical.name) ??
      string(indexed.name)
    return name ? [name] : []
  }
}

/** In `openssl@3.0.1`, and in `shop/web:1.2@sha256:…:/lib`. */
const versions = /@(?:sha256:[0-9a-f]{12,64}|v?\d[\w.+~-]*)|:v?\d+\.\d[\w.+~-]*(?=[:@/]|$)/g

const maxShown = 5

function shorten(places: string[]) {
  const distinct = [...new Set(places)]
  const more = distinct.length - maxShown
  const shown = distinct.slice(0, maxShown).join(', ')
  return more > 0 ? `${shown} and ${more} more` : shown || null
}
