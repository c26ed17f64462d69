import { string } from '../../text.ts'
import { object, type Values } from '../values.ts'

const label = (labels: Values, name: string) => string(labels[`kubescape.io/workload-${name}`])

/** The resource that a report of Kubescape's operator is about. */
export function toKubescapePlace(item: Values) {
  const metadata = object(item.metadata)
  const [labels, annotations] = [object(metadata.labels), object(metadata.annotations)]
  return {
    namespace: label(labels, 'namespace') ?? string(metadata.namespace),
    kind: label(labels, 'kind'),
    name: label(labels, 'name') ?? string(metadata.name),
    container: label(labels, 'container-name') ?? label(annotations, 'container-name'),
  }
}
