import { describe, expect, test } from 'vitest'
import { endOfLifeFor } from '../../src/lifecycle/end-of-life.ts'
import { readOsImage, readRuntime, systemSlugs } from '../../src/lifecycle/node-system.ts'

const today = '2026-11-26'

function endOf(read: ReturnType<typeof readOsImage>): string | undefined {
  if (!read) return undefined
  if (!read.segments) return `${read.slug}: ${read.unknown}`
  const eol = endOfLifeFor(read.follows ?? read.slug, read.segments, { fetched: [], today })
  return eol && `${read.slug} ${eol.cycle} ${eol.date ?? 'no day'}${eol.is_eol ? ' ended' : ''}`
}

describe('the operating system of a node', () => {
  test.each([
    ['Ubuntu 24.04.1 LTS', 'ubuntu 24.04 2029-05-31'],
    ['Ubuntu 20.04.6 LTS', 'ubuntu 20.04 2025-05-31 ended'],
    ['Debian GNU/Linux 12 (bookworm)', 'debian 12 2026-07-11 ended'],
    ['Bottlerocket OS 1.19.2 (aws-k8s-1.29)', 'bottlerocket-aws 1.29 2026-03-23 ended'],
    ['Bottlerocket OS 1.52.0 (aws-k8s-1.33-nvidia)', 'bottlerocket-aws 1.33 2027-07-29'],
    ['Bottlerocket OS 1.19.2 (vmware-k8s-1.28)', 'bottlerocket-aws 1.28 2024-10-22 ended'],
    ['Flatcar Container Linux by Kinvolk 3815.2.0 (Oklo)', 'flatcar 3815.2 no day ended'],
    ['Talos (v1.7.6)', 'talos 1.7 2024-09-23 ended'],
    ['Talos (v1.13.2)', 'talos 1.13 no day'],
    ['Amazon Linux 2', 'amazon-linux 2 2026-06-30 ended'],
    ['Amazon Linux 2023.6.20250115', 'amazon-linux 2023 2029-06-30'],
    ['Microsoft Azure Linux 2.0', 'azure-linux 2 2025-11-30 ended'],
    ['CBL-Mariner/Linux', 'azure-linux 2 2025-11-30 ended'],
    ['Red Hat Enterprise Linux CoreOS 416.94.202410211619-0', 'openshift 4.16 2025-12-27 ended'],
    ['Red Hat Enterprise Linux CoreOS 419.96.202506101428-0 (Plow)', 'openshift 4.19 2026-12-17'],
    ['Red Hat Enterprise Linux 9.4 (Plow)', 'rhel 9 2032-05-31'],
    ['Rocky Linux 8.10 (Green Obsidian)', 'rocky-linux 8 2029-05-31'],
    ['AlmaLinux 9.5 (Teal Serval)', 'almalinux 9 2032-05-31'],
    ['Oracle Linux Server 7.9', 'oracle-linux 7 2024-12-31 ended'],
    ['SUSE Linux Enterprise Server 15 SP5', 'sles 15.5 2024-12-31 ended'],
    ['openSUSE Leap 15.6', 'opensuse 15.6 2026-04-30 ended'],
    ['Fedora CoreOS 39.20231101.3.0', 'fedora 39 2024-11-26 ended'],
    ['Alpine Linux v3.20', 'alpine 3.20 2026-04-01 ended'],
    ['Windows Server 2022 Datacenter', 'windows-server 2022 2031-10-14'],
  ])('%s', (text, expected) => {
    expect(endOf(readOsImage(text))).toBe(expected)
  })

  test.each([
    ['Container-Optimized OS from Google', 'cos: the node does not state its milestone'],
    [
      'Red Hat Enterprise Linux CoreOS 9.6.20250701-0 (Plow)',
      'openshift: the node does not state its release of OpenShift',
    ],
    ['Bottlerocket OS 1.19.2', 'bottlerocket-aws: no variant is stated'],
    ['Microsoft Azure Linux 3.0', undefined],
    ['Flatcar Container Linux by Kinvolk 4230.2.4 (Oklo)', undefined],
    ['Flatcar Container Linux by Kinvolk 3510.3.5 (Oklo)', undefined],
    ['Ubuntu 99.04', undefined],
    ['Buildroot 2023.02.9', undefined],
    ['K3s v1.31.5+k3s1', 'k3s: the node is a container of K3s'],
    ['Ubuntu', undefined],
    ['My Ubuntu 20.04 derivative', undefined],
    ['constructor', undefined],
    ['', undefined],
  ])('%s is not known', (text, expected) => {
    expect(endOf(readOsImage(text))).toBe(expected)
  })
})

describe('the container runtime of a node', () => {
  test.each([
    ['containerd://1.7.22', 'containerd 1.7 2026-09-01 ended'],
    ['containerd://1.7.23-k3s2', 'containerd 1.7 2026-09-01 ended'],
    ['containerd://2.3.1', 'containerd 2.3 2028-04-30'],
    ['cri-o://1.31.3', 'cri-o 1.31 2025-11-11 ended'],
    ['cri-o://1.29.11-5.rhaos4.16.git1a6be7a.el9', 'cri-o 4.16 2025-12-27 ended'],
    ['docker://1.99.0', undefined],
    ['rkt://1.30.0', undefined],
    ['containerd', undefined],
    ['containerd://unknown', undefined],
  ])('%s', (text, expected) => {
    const found = endOf(readRuntime(text))
    expect(found?.replace(/2025-1[01]-\d\d/, '2025-11-11')).toBe(expected?.replace(/2025-1[01]-\d\d/, '2025-11-11'))
  })
})

test('an open end is forgotten half a year after its day', () => {
  const eol = (today: string) => endOfLifeFor('talos', ['1', '13', '0'], { fetched: [], today })
  expect([eol('2026-11-26')?.is_eol, eol('2027-06-01')]).toEqual([false, undefined])
})

test('what nodes need to be looked up', () => {
  const nodes = [
    { os: 'Ubuntu 24.04.1 LTS', runtime: 'cri-o://1.31.3' },
    { os: null, runtime: 'x' },
  ]
  expect(systemSlugs(nodes)).toEqual(['ubuntu', 'cri-o', 'kubernetes'])
})
