import { describe, expect, test } from 'vitest'
import { bundledUpgradeFacts } from '../../src/catalog/upgrade-facts.ts'
import { endOfLifeFor } from '../../src/lifecycle/end-of-life.ts'
import type { NodeArtifact } from '../../src/reports/artifact.ts'
import { toSkew } from '../../src/upgrade/node-skew.ts'
import { assessNodes } from '../../src/upgrade/nodes.ts'

const { skew: rules } = bundledUpgradeFacts()

describe('the skew of a kubelet', () => {
  const toState = (kubelet: string | null, version: string | null, provider: string | null = null) => {
    const { state, older } = toSkew(kubelet, { version, provider, rules })
    return `${state} ${older}`
  }
  test.each([
    ['v1.33.1', 'v1.33.6', null, 'ok 0'],
    ['v1.30.9', 'v1.33.6', null, 'ok 3'],
    ['v1.29.9', 'v1.33.6', null, 'too_old 4'],
    ['v1.34.0', 'v1.33.6', null, 'too_new -1'],
    ['v1.24.17', 'v1.27.3', null, 'too_old 3'],
    ['v1.24.17', 'v1.26.3', null, 'ok 2'],
    ['v1.31.2-eks-94953ac', 'v1.33.1-eks-595af52', null, 'ok 2'],
    ['v1.30.1-gke.1329003', 'v1.33.2-gke.1240000', null, 'too_old 3'],
    ['v1.31.1-gke.1329003', 'v1.33.2-gke.1240000', null, 'ok 2'],
    ['v1.30.7', 'v1.33.1', 'aks', 'ok 3'],
    ['v1.30.7', 'v1.33.1', 'openshift', 'too_old 3'],
    ['v1.29.4+k3s1', 'v1.33.1+k3s1', null, 'too_old 4'],
    ['v1.33.1', null, null, 'unknown null'],
    [null, 'v1.33.1', null, 'unknown null'],
    ['nightly', 'v1.33.1', null, 'unknown null'],
    ['v2.1.0', 'v1.33.1', null, 'unknown null'],
  ])('%s on %s (%s): %s', (kubelet, version, provider, expected) => {
    expect(toState(kubelet, version, provider)).toBe(expected)
  })
})

test('a rule about nodes is one by its field, whatever its component is called', () => {
  const renamed = rules.map((rule) => ({ ...rule, component: 'machines' }))
  const [kubelet, version] = ['v1.30.1-gke.1329003', 'v1.33.2-gke.1240000']
  expect(toSkew(kubelet, { version, rules: renamed })).toEqual(toSkew(kubelet, { version, rules }))
  expect(rules.filter(({ component, of_nodes }) => component === 'kubelet' && !of_nodes)).toEqual([])
})

test('equal parts of nodes are one, with what is known of each', () => {
  const node = (name: string, more: Partial<NodeArtifact> = {}): NodeArtifact => ({
    name,
    os: 'Ubuntu 20.04.6 LTS',
    runtime: 'containerd://2.3.1',
    kubelet: 'v1.33.1',
    ...more,
  })
  const components = assessNodes([node('b'), node('a'), node('c', { os: null, kubelet: 'v1.29.0' })], {
    apiServer: 'v1.33.6',
    provider: null,
    rules,
    today: '2026-11-26',
    supportFor: (slug, segments) => endOfLifeFor(slug, segments, { fetched: [], today: '2026-11-26' }),
  })
  const said = components.map(({ part, display_name, nodes, eol, eol_unknown, skew }) => [
    part,
    display_name,
    nodes.join(' '),
    eol?.date ?? eol_unknown,
    skew?.state,
  ])
  expect(said).toEqual([
    ['os', 'Ubuntu 20.04.6 LTS', 'a b', '2025-05-31', undefined],
    ['os', 'not stated', 'c', 'the node does not state it', undefined],
    ['runtime', 'containerd://2.3.1', 'a b c', '2028-04-30', undefined],
    ['kubelet', 'v1.33.1', 'a b', '2026-06-28', 'ok'],
    ['kubelet', 'v1.29.0', 'c', '2025-02-28', 'too_old'],
  ])
  expect(components[0]).toMatchObject({
    artifact_key: 'ubuntu@20.04',
    source: expect.stringContaining('endoflife.date'),
  })
})
