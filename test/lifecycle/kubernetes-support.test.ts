import { describe, expect, test } from 'vitest'
import { kubernetesSupport } from '../../src/lifecycle/kubernetes-support.ts'
import { offeringFor } from '../../src/lifecycle/offering.ts'
import { supportText } from '../../src/lifecycle/support-text.ts'

const aks = (day: string, extended: string) => `until ${day} (paid extended support until ${extended})`

describe('support of Kubernetes', () => {
  test.each<[version: string | null, provider: string | null, today: string, expected: string]>([
    ['v1.34.1-eks-abc123', null, '2026-12-02', `1.34 has EKS standard support ${aks('2026-12-02', '2027-12-02')}`],
    [
      ...(['v1.34.1-eks-abc123', null, '2026-12-03'] as const),
      'EKS standard support of 1.34 ended on 2026-12-02 (paid extended support until 2027-12-02)',
    ],
    ['v1.22.17-eks-0a1b2c3', null, '2026-11-27', 'EKS standard support of 1.22 ended on 2023-06-04 (paid'],
    ['v1.34.1', 'eks', '2026-11-27', `1.34 has EKS standard support ${aks('2026-12-02', '2027-12-02')}`],
    ['v1.34.1', 'Amazon-EKS', '2026-11-27', '1.34 has EKS standard support'],
    ['v1.37.0-eks-abc123', null, '2026-11-27', 'EKS did not list Kubernetes 1.37 on 2026-08-22'],
    // EKS Anywhere has dates of its own, which nobody bundles.
    ['v1.34.1-eks-1-34-5', null, '2026-11-27', 'Upstream support of 1.34 ended on 2026-10-27'],
    ['v1.34.1-gke.1829001', null, '2026-10-01', '1.34 has GKE support until 2026-10-01'],
    ['v1.34.1-gke.1829001', null, '2026-10-02', 'GKE support of 1.34 ended on 2026-10-01'],
    ['v1.34.2', 'aks', '2026-11-30', `1.34 has AKS standard support ${aks('2026-11-30', '2027-11-30')}`],
    ['v1.34.2', 'aks', '2026-12-01', 'AKS standard support of 1.34 ended on 2026-11-30 (paid'],
    ['v1.30.100-akslts', null, '2026-07-31', '1.30 (LTS) has AKS support until 2026-07-31'],
    ['v1.30.100-akslts', null, '2026-08-01', 'AKS support of 1.30 (LTS) ended on 2026-07-31'],
    ['v1.34.1-aliyun.1', null, '2026-10-01', 'ACK support of 1.34 ended on 2026-09-30'],
    ['v1.35.1-aliyun.1', null, '2026-11-27', 'ACK did not list Kubernetes 1.35 on 2026-08-22'],
    // OpenShift 4.18 and 4.20.
    ['v1.31.8', 'openshift', '2026-08-25', `1.31 has OpenShift standard support ${aks('2026-08-25', '2027-02-25')}`],
    ['v1.33.5', 'openshift', '2026-11-27', '1.33 has OpenShift support until 2027-04-21'],
    ['v1.34.1+rke2r1', null, '2026-10-27', '1.34 has upstream support until 2026-10-27'],
    ['v1.35.1+k3s1', null, '2026-11-27', '1.35 has upstream support until 2027-02-28'],
    ['v1.35.1-vke.3', null, '2026-11-27', '1.35 has upstream support until 2027-02-28'],
    ['v1.35.1', 'kubernetes', '2026-11-27', '1.35 has upstream support until 2027-02-28'],
    ['v1.35.1', 'oke', '2026-11-27', '1.35 has upstream support until 2027-02-28'],
    ['v1.35.1', 'constructor', '2026-11-27', '1.35 has upstream support until 2027-02-28'],
    ['1.35', null, '2026-11-27', '1.35 has upstream support until 2027-02-28'],
    ['v1.99.0', null, '2026-11-27', 'the dates of 2026-09-15 lack Kubernetes 1.99'],
    // The version is of the cluster; a provider may be a mistake.
    ['v1.34.1-gke.1829001', 'eks', '2026-11-27', 'GKE support of 1.34 ended on 2026-10-01'],
    ['latest-eks-abc', 'eks', '2026-11-27', 'it is no version of Kubernetes'],
    [null, 'eks', '2026-11-27', 'no version is stated'],
  ])('%s of %s on %s', (version, provider, today, expected) => {
    const found = kubernetesSupport({ version, provider, today })
    const text = found.eol ? supportText(found.eol.cycle, found.eol) : found.unknown
    expect(text.slice(0, expected.length)).toBe(expected)
  })

  test('says where it is from, and of which day', () => {
    const facts = (version: string) => kubernetesSupport({ version, today: '2026-11-27' }).eol
    expect(facts('v1.34.1-eks-abc123')).toEqual({
      cycle: '1.34',
      date: '2026-12-02',
      is_eol: false,
      extended_until: '2027-12-02',
      by: 'EKS',
      source: 'https://endoflife.date/amazon-eks',
      as_of: '2026-08-22',
    })
    expect(facts('v1.34.1')).toMatchObject({ by: 'upstream', source: expect.stringContaining('kubernetes.io') })
  })

  test('newer dates of Kubernetes itself go before the bundled ones', () => {
    const upstream = () => ({ cycle: '1.35', date: '2027-03-31', is_eol: false })
    const dateOf = (version: string) => kubernetesSupport({ version, today: '2026-11-27', upstream }).eol?.date
    expect([dateOf('v1.35.0'), dateOf('v1.35.0-eks-abc123')]).toEqual(['2027-03-31', '2027-03-27'])
  })
})

test.each<[version: string, provider: string | undefined, expected: string | undefined]>([
  ['v1.33.6-gke.2700', undefined, 'gke'],
  ['v1.33.6-eks-0a1b2c3', undefined, 'eks'],
  ['v1.33.6-eks-1-33-18', 'eks', 'eks-distro'],
  ['v1.33.6+k3s1', undefined, 'k3s'],
  ['v1.33.6+rke2r1', 'kubernetes', 'rke2'],
  ['v1.33.6+k0s.0', undefined, 'k0s'],
  ['v1.33.6+IKS', undefined, 'iks'],
  ['v1.33.6', undefined, undefined],
  ['v1.33.6', 'aws', undefined],
  ['v1.33.6', ' EKS ', 'eks'],
  ['v1.33.6', '__proto__', undefined],
  ['v1.27.8+4fab27b', undefined, undefined],
])('the offering of %s by %s is %s', (version, provider, expected) => {
  expect(offeringFor(version, provider)).toBe(expected)
})
