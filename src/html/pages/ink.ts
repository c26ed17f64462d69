import type { Ink } from '../../render/html/draw.ts'
import { isWebAddress } from '../../render/html/markup.ts'
import type { LinkTarget } from '../../views/said.ts'
import type { View } from './view.ts'

/** Creates links between the server's pages. `run_id`: the run that the findings are from. */
export function inkFor(view: View, { run_id }: { run_id?: string } = {}): Ink {
  return { linkTo: (target) => toAddress(view, target, run_id), hide: (piece) => piece }
}

function toAddress(view: View, target: LinkTarget, run_id: string | undefined) {
  if ('url' in target) return isWebAddress(target.url) ? target.url : undefined
  switch (target.page) {
    case 'cluster':
      return view.href(`/clusters/${target.cluster_id}`)
    case 'run':
      return view.href(`/runs/${target.run_id}`)
    case 'finding':
      return view.href(`/findings/${target.fingerprint}`, { run_id: target.run_id ?? run_id })
    case 'findings':
      return view.href('/findings', { cluster_name: target.cluster_name, environment: target.environment })
    case 'check':
      return view.href('/findings', { check: target.check_id, run_id })
    case 'impact':
      return view.href('/impact', { cve: target.id })
    case 'artifact':
      return freshnessAddress(view, target, run_id)
    case 'exception':
      return view.href(`/exceptions/${target.exception_id}`)
    case 'project':
      return view.href(`/projects/${target.product_id}`)
  }
}

function freshnessAddress(
  view: View,
  { artifact_key, run_id }: Extract<LinkTarget, { page: 'artifact' }>,
  usual: string | undefined,
) {
  const run = run_id ?? usual
  return run && view.href(`/runs/${run}/freshness`, { artifact: artifact_key })
}
