import type { Controller } from './controller.ts'
import { hostOf, shortened } from './names.ts'
import {
  account,
  cronJob,
  daemonSet,
  deployment,
  job,
  type KubeObject,
  many,
  object,
  pod,
  role,
  statefulSet,
} from './objects.ts'

/** Controllers of clusters and nodes, and workloads of lasting names. */
export const platform: Record<string, Controller> = {
  'system-upgrade-controller': {
    namespace: 'system-upgrade',
    source: 'rancher/system-upgrade-controller, pkg/upgrade/job: apply-PLAN-on-NODE-with-HASH',
    objects: (at) => {
      const hash = at.draw('hex', 56)
      return at.nodes.flatMap((node) =>
        job(
          at,
          shortened(`apply-agent-plan-on-${hostOf(node)}-with-${hash}`),
          {
            image: 'rancher/k3s-upgrade:v1.33.6-k3s1',
            container: 'upgrade',
            privileged: true,
            hostPID: true,
            hostPath: '/',
          },
          { owner: { kind: 'Plan', name: 'agent-plan' }, node },
        ),
      )
    },
  },
  'Harvester upgrade': {
    namespace: 'harvester-system',
    source: 'harvester/harvester, pkg/controller/master/upgrade: hvst-upgrade-SUFFIX-STEP and -post-drain-NODE',
    objects: (at) => {
      const upgrade = `hvst-upgrade-${at.draw('safe', 5)}`
      const template = { image: 'rancher/harvester-upgrade:v1.4.0', container: 'apply' }
      return [
        ...job(at, `${upgrade}-apply-manifests`, template),
        ...job(at, `${upgrade}-post-drain-${at.nodes[0]}`, { ...template, privileged: true, hostPath: '/' }),
      ]
    },
  },
  KubeVirt: {
    namespace: 'vms',
    source:
      'kubevirt/kubevirt, services/template.go: virt-launcher-VM-SUFFIX and hp-volume-SUFFIX, owned by the launcher',
    objects: (at) => {
      const launcher = `virt-launcher-mongodb-${at.draw('safe', 5)}`
      const image = 'quay.io/kubevirt/virt-launcher:v1.4.0'
      return [
        pod(
          at,
          launcher,
          { image, container: 'compute' },
          { owner: { kind: 'VirtualMachineInstance', name: 'mongodb' } },
        ),
        pod(
          at,
          `hp-volume-${at.draw('safe', 5)}`,
          { image, container: 'hotplug-disk' },
          { owner: { kind: 'Pod', name: launcher } },
        ),
      ]
    },
  },
  Crossplane: {
    namespace: 'crossplane-system',
    source:
      'crossplane/crossplane, internal/controller/rbac/provider/roles: crossplane:provider:REVISION:system; REVISION is PROVIDER-HASH of 12 hex digits',
    objects: (at) => {
      const revision = `provider-aws-s3-${at.draw('hex', 12)}`
      const owner = { kind: 'ProviderRevision', name: revision }
      const rules = [
        {
          apiGroups: ['', 'coordination.k8s.io'],
          resources: ['secrets', 'configmaps', 'events', 'leases'],
          verbs: ['*'],
        },
      ]
      return [
        account(at, revision),
        ...deployment(
          at,
          revision,
          { image: 'xpkg.upbound.io/upbound/provider-aws-s3:v1.18.0', container: 'package-runtime', account: revision },
          { owner },
        ),
        ...role(at, 'ClusterRole', `crossplane:provider:${revision}:system`, revision, rules),
        object(at, 'ClusterRole', `crossplane:provider:${revision}:aggregate-to-edit`, {
          rules: [{ apiGroups: ['s3.aws.upbound.io'], resources: ['buckets'], verbs: ['*'] }],
        }),
      ]
    },
  },
  OLM: {
    namespace: 'operators',
    source:
      'operator-framework/operator-lifecycle-manager, resolver/rbac.go: CSV-HASH and CSV-ACCOUNT-HASH, a CSV is NAME.vVERSION',
    objects: (at) => {
      const csv = `etcdoperator.v0.9.${at.day + 3}`
      const name = 'etcd-operator'
      const rules = [{ apiGroups: [''], resources: ['events', 'secrets', 'pods/exec'], verbs: ['*'] }]
      return [
        account(at, name),
        ...deployment(
          at,
          name,
          { image: `quay.io/coreos/etcd-operator:v0.9.${at.day + 3}`, account: name },
          { owner: { kind: 'ClusterServiceVersion', name: csv, isPlain: true } },
        ),
        ...role(at, 'ClusterRole', `${csv}-${at.draw('safe', 9)}`, name, rules),
        ...role(at, 'Role', `${csv}-${name}-${at.draw('safe', 9)}`, name, rules),
        pod(
          at,
          `community-catalog-${at.draw('safe', 5)}`,
          { image: 'quay.io/operatorhubio/catalog:latest', container: 'registry-server' },
          { owner: { kind: 'CatalogSource', name: 'community-catalog' } },
        ),
        ...job(
          at,
          at.draw('hex', 63),
          { image: 'quay.io/operator-framework/olm:v0.30.0', container: 'extract' },
          { owner: { kind: 'ConfigMap', name: 'bundle', isPlain: true } },
        ),
      ]
    },
  },
  'cert-manager solver': {
    namespace: 'certificates',
    source: 'cert-manager/cert-manager, pkg/issuer/acme/http: cm-acme-http-solver-SUFFIX, owned by a Challenge',
    objects: (at) => {
      const owner = { kind: 'Challenge', name: `web-tls-1-${at.draw('digit', 10)}-${at.draw('digit', 10)}` }
      const name = () => `cm-acme-http-solver-${at.draw('safe', 5)}`
      return [
        pod(
          at,
          name(),
          { image: 'quay.io/jetstack/cert-manager-acmesolver:v1.16.2', container: 'acmesolver', hasRequests: true },
          { owner },
        ),
        object(at, 'Service', name(), {
          owner,
          spec: {
            type: 'NodePort',
            selector: { 'acme.cert-manager.io/http01-solver': 'true' },
            ports: [{ port: 8089, targetPort: 8089 }],
          },
        }),
      ]
    },
  },
  'K3s service load balancer': {
    namespace: 'k3s',
    source:
      'k3s-io/k3s, pkg/cloudprovider/servicelb.go: svclb-SERVICE-UID of eight hex digits; helm-controller: helm-install-CHART',
    objects: (at) => [
      ...daemonSet(
        at,
        `svclb-traefik-${at.draw('hex', 8)}`,
        { image: 'rancher/klipper-lb:v0.4.9', container: 'lb-tcp-80' },
        { restarts: 5 + at.draw.below(5) },
      ),
      ...job(
        at,
        'helm-install-traefik',
        { image: 'rancher/klipper-helm:v0.9.3', container: 'helm' },
        { owner: { kind: 'HelmChart', name: 'traefik' } },
      ),
    ],
  },
  'Trivy Operator': {
    namespace: 'trivy-system',
    source: 'aquasecurity/trivy-operator: scan-vulnerabilityreport-HASH and node-collector-HASH by scanned object',
    objects: (at) => [
      ...['web', 'api'].flatMap((container) =>
        job(
          at,
          `scan-vulnerabilityreport-${at.draw('safe', 10)}`,
          { image: 'ghcr.io/aquasecurity/trivy:0.57.1', container },
          { phase: 'Running' },
        ),
      ),
      ...job(at, `node-collector-${at.draw('safe', 9)}`, {
        image: 'ghcr.io/aquasecurity/node-collector:0.3.1',
        container: 'node-collector',
        hostPID: true,
        hostPath: '/var/lib/kubelet',
      }),
    ],
  },
  'OpenShift installers': {
    namespace: 'openshift-etcd',
    source:
      'openshift/library-go, pkg/operator/staticpod: installer-REVISION-NODE, revision-pruner-REVISION-NODE, owned by a ConfigMap that is no controller',
    objects: (at) =>
      ['installer', 'revision-pruner'].flatMap((name) =>
        at.nodes.slice(0, 2).map((node) =>
          pod(
            at,
            `${name}-${11 + at.day}-${node}`,
            {
              image: 'quay.io/openshift-release-dev/ocp-v4.0-art-dev:4.17',
              container: name,
              privileged: true,
              hostPath: '/etc/kubernetes/',
            },
            {
              owner: { kind: 'ConfigMap', name: `revision-status-${11 + at.day}`, isPlain: true },
              phase: 'Succeeded',
              node,
            },
          ),
        ),
      ),
  },
  Tailscale: {
    namespace: 'tailscale',
    source: 'tailscale/tailscale, cmd/k8s-operator/sts.go: StatefulSet ts-PARENT-SUFFIX',
    objects: (at) =>
      statefulSet(
        at,
        `ts-grafana-${at.draw('safe', 5)}`,
        { image: 'tailscale/tailscale:v1.76.6', container: 'tailscale', privileged: true },
        { restarts: 5 + at.draw.below(5) },
      ),
  },
  'NVIDIA GPU Operator': {
    namespace: 'gpu-operator',
    source: 'NVIDIA/gpu-operator, driver state: nvidia-gpu-driver-OS-HASH by node pool; nvidia-cuda-validator-SUFFIX',
    objects: (at) => [
      ...daemonSet(
        at,
        `nvidia-gpu-driver-ubuntu22.04-${at.draw('safe', 10)}`,
        {
          image: 'nvcr.io/nvidia/driver:550.127.05',
          container: 'nvidia-driver-ctr',
          privileged: true,
          hostPID: true,
          hostPath: '/run/nvidia',
        },
        { owner: { kind: 'NVIDIADriver', name: 'default' } },
      ),
      ...many(2, () =>
        pod(
          at,
          `nvidia-cuda-validator-${at.draw('safe', 5)}`,
          { image: 'nvcr.io/nvidia/cloud-native/gpu-operator-validator:v24.9.0', privileged: true },
          { owner: { kind: 'ClusterPolicy', name: 'cluster-policy' }, phase: 'Succeeded' },
        ),
      ),
    ],
  },
  'kubectl debug': {
    namespace: 'default',
    source: 'kubernetes/kubectl, pkg/cmd/debug: node-debugger-NODE-SUFFIX, a pod without a controller',
    objects: (at) => [
      pod(
        at,
        `node-debugger-${at.nodes.at(-1)}-${at.draw('safe', 5)}`,
        { image: 'busybox', container: 'debugger', hostNetwork: true, hostPID: true, hostPath: '/' },
        { node: at.nodes.at(-1)! },
      ),
    ],
  },
  'CronJob that failed': {
    namespace: 'nightly',
    source: 'kubernetes: CRONJOB-MINUTES; beside it a stuck Job of it',
    objects: (at) => {
      const template = { image: 'shop/backup:1.1', container: 'backup' }
      const name = `backup-${Math.floor(at.midnight / 60)}`
      return [
        cronJob(at, 'backup', template),
        ...job(at, name, template, { owner: { kind: 'CronJob', name: 'backup' }, phase: 'Failed' }),
      ]
    },
  },
  'unlike workloads': {
    namespace: 'plain',
    source: 'nothing is renamed here: real changes are made to these',
    objects: (at): KubeObject[] => [
      ...deployment(
        at,
        'web',
        { image: 'shop/web:3.1', container: 'web', hasRequests: true, isSecure: true },
        { replicas: 2 },
      ),
      ...deployment(at, 'mailer', { image: 'shop/mailer:1.9', container: 'mailer' }),
      ...statefulSet(at, 'cache', { image: 'docker.io/library/redis:7.4.1', container: 'redis' }),
      pod(at, 'shell-a', { image: 'alpine:3.20', container: 'shell', privileged: true }),
      pod(at, 'debug-1', { image: 'nicolaka/netshoot:v0.13', container: 'debug' }),
    ],
  },
}
