import { describe, expect, test } from 'vitest'
import { ownerName, templateName } from '../../src/reports/generated-name.ts'

describe('reduces a generated name to its template', () => {
  test.each([
    ['pod', 'web-65cc8855c-ghk9m', 'web', 'Deployment'],
    ['pod', 'web-7d9-65cc8855c-ghk9m', 'web-7d9', 'Deployment whose name looks generated'],
    ['pod', 'node-exporter-4ph65', 'node-exporter', 'DaemonSet'],
    ['pod', 'redis-master-0', 'redis-master', 'StatefulSet'],
    ['pod', 'orders-db-3', 'orders-db', 'CloudNativePG'],
    ['pod', 'events-kafka-12', 'events-kafka', 'Strimzi'],
    ['pod', 'export-29741520-6r6xt', 'export', 'CronJob'],
    ['pod', 'shop-migrate-x7k2p-4ph65', 'shop-migrate', 'Job of a generated name'],
    ['job', 'shop-presync-x7k2p', 'shop-presync', 'hook of Argo CD'],
    ['job', 'export-29741520', 'export', 'CronJob'],
    ['pod', 'arm-large-x508d-runner-azn38', 'arm-large-runner', 'Actions Runner Controller'],
    ['pod', 'arm-large-hyalo-runner-world', 'arm-large-runner', 'Actions Runner Controller, by letters'],
    ['pod', 'arm-large-runner-azn38', 'arm-large-runner', 'runner set'],
    ['pod', 'train-model-kt66h-step-1124897966', 'train-model-step', 'Argo Workflows'],
    ['pod', 'nightly-1764000000-load-2338519230', 'nightly-load', 'CronWorkflow of Argo'],
    ['pod', 'etl-0123456789abcdef-exec-12', 'etl-exec', 'Spark executor'],
    ['pod', 'etl-0123456789abcdef-driver', 'etl-driver', 'Spark driver'],
    ['pod', 'import-orders-k3x9q0ab', 'import-orders', 'Airflow'],
    ['pod', 'hello-00042-deployment-65cc8855c-ghk9m', 'hello', 'Knative'],
    ['deployment', 'hello-00042-deployment', 'hello', 'Knative'],
    ['pod', 'image-run-x7k2p-scans-pod', 'image-run-scans', 'Tekton'],
    ['pod', 'runner-gxzwdbvd-project-1234-concurrent-0-x7k2p', 'runner-project-1234', 'GitLab'],
    ['pod', 'shop-main-42-2x9bt-6lqvf-p0d3k', 'shop-main', 'Jenkins'],
    ['pod', 'web-3-deploy', 'web-deploy', 'deployer of OpenShift'],
    ['pod', 'api-12-build', 'api-build', 'build of OpenShift'],
    ['pod', 'session-taskmanager-1-3', 'session-taskmanager', 'Flink'],
    ['pod', 'web-65cc8855c-ghk9m-x-shop-x-dev', 'web-x-shop-x-dev', 'Deployment in a vcluster'],
    ['pod', 'export-1616161620-6r6xt', 'export', 'CronJob of an old Kubernetes'],
    ['pod', 'db-1-initdb-6r6xt', 'db-1-initdb', 'Job of CloudNativePG'],
    ['job', 'kopia-maintain-1716883320000', 'kopia-maintain', 'Velero'],
    ['pod', 'kopia-maintain-1716883320000-6r6xt', 'kopia-maintain', 'Velero'],
    ['pod', 'shop-a7079f4-presync-1764000000-6r6xt', 'shop-presync', 'hook of Argo CD'],
    ['job', 'shop-a7079f4-presync-1764000000', 'shop-presync', 'hook of Argo CD'],
    ['job', 'shop-8.5.1-postsync-1764000000', 'shop-postsync', 'hook of Argo CD, of a chart'],
    ['pod', 'arm-x508d-runner-azn38-workflow', 'arm-runner-workflow', 'container of Actions Runner Controller'],
    ['pod', 'dagster-run-5138844e-5195-4787-803a-1d2c3b4a5f60-6r6xt', 'dagster-run', 'Dagster'],
    ['job', 'dagster-run-5138844e-5195-4787-803a-123456789012', 'dagster-run', 'Dagster'],
    ['pod', 'import-504feaf3b6c500cc07e20bd8c3c71b1d', 'import', 'Airflow of before'],
    ['pod', 'drone-5xtkmwqi5jqi9dpzx1pa', 'drone', 'Drone'],
    ['pod', 'wp-0rg32rayjzje6v9a86xv9g37rp-0-clone', 'wp-clone', 'Woodpecker'],
    ['ingress', 'cm-acme-http-solver-x7k2p', 'cm-acme-http-solver', 'cert-manager'],
    ['secret', 'robot-token-x7k2p', 'robot-token', 'token of a ServiceAccount'],
    ['secret', 'sh.helm.release.v1.shop.v12', 'sh.helm.release.v1.shop', 'revision of a release'],
    ['endpointslice', 'web-x7k2p', 'web', 'Service'],
    ['controllerrevision', 'orders-db-65cc8855c', 'orders-db', 'StatefulSet'],
    ['configmap', 'web-config-h8k2m4t6b9', 'web-config', 'Kustomize'],
    ['persistentvolumeclaim', 'data-db-2', 'data-db', 'claim of a StatefulSet'],
    ['replicaset', 'web-65cc8855c', 'web', 'Deployment'],
  ])('%s %s → %s (%s)', (kind, name, expected) => {
    expect(templateName(kind, name)).toBe(expected)
  })

  test.each(['agent35', 'ha-server34', 'vault-agent-injector36'])('keeps the number of the DaemonSet %s', (name) => {
    expect(templateName('pod', `${name}-6r6xt`)).toBe(name)
  })

  test('of a kind that is named like a member of objects', () => {
    expect(templateName('constructor', 'web-0')).toBe('web-0')
    expect(ownerName('__proto__', 'web-0')).toBe('web-0')
  })

  test('of an owner that a tool starts', () => {
    expect(ownerName('workflow', 'train-model-kt66h')).toBe('train-model')
    expect(ownerName('taskrun', 'image-run-x7k2p-build')).toBe('image-run-build')
    expect(ownerName('ephemeralrunner', 'arm-large-x508d-runner-azn38')).toBe('arm-large-runner')
    expect(ownerName('job', 'shop-presync-x7k2p')).toBe('shop-presync')
  })
})

describe('leaves a name that only looks generated', () => {
  test.each([
    'web-7d9',
    'db-2024',
    'payments-v2',
    'web-front',
    'web-postgres',
    'web-frontend',
    'toolbox',
    'proxy47',
    's3-k8s',
    'web-external',
    'web-upstream',
    'web-workflow',
    'web-download',
    'web-https',
    'web-webhooks',
    'kubernetesdashboardv2',
  ])('pod %s', (name) => {
    expect(templateName('pod', name)).toBe(name)
  })

  test.each([
    ['statefulset', 'svc-bc7d2'],
    ['deployment', 'app-123456789012'],
    ['secret', 'web-token'],
    ['persistentvolume', 'pvc-5138844e-5195-4787-803a-1d2c3b4a5f60'],
    ['daemonset', 'agent-4ph65'],
    ['deployment', 'web-65cc8855c'],
    ['service', 'hello-kt66h'],
    ['rollout', 'svc-bc7d2'],
    ['perconaservermongodb', 'orders-mongo'],
  ])('of a %s, which a person names', (kind, name) => {
    expect(templateName(kind, name)).toBe(name)
    expect(ownerName(kind, name)).toBe(name)
  })
})
