import { string } from '../../text.ts'
import { object, objects, type Values } from '../values.ts'

const label = (labels: Values, name: string) => string(labels[`trivy-operator.${name}`])

/**
 * The resource that a report of Trivy's operator is about, with kind and name as the operator writes them: `ReplicaSet`,
 * `web-65cc8855c`. A name that is not a valid label is in an annotation.
 */
export function toOperatorPlace(item: Values) {
  const metadata = object(item.metadata)
  const [labels, annotations] = [object(metadata.labels), object(metadata.annotations)]
  const [owner] = objects(metadata.ownerReferences)
  return {
    namespace: label(labels, 'resource.namespace') ?? string(metadata.namespace),
    kind: label(labels, 'resource.kind') ?? string(owner?.kind) ?? string(item.kind),
    name:
      label(labels, 'resource.name') ??
      label(annotations, 'resource.name') ??
      string(owner?.name) ??
      string(metadata.name),
    container: label(labels, 'container.name'),
  }
}
