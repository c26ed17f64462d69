import type { clusterConfigRoutes } from '../../../src/contract/routes/cluster-config.ts'
import { at, runId, success, toPage } from './shared.ts'

const configId = 'ccfg_0f9d7c52-8f6e-4d0a-9a55-6f1f5a2b1c3d'
const settings = {
  aks: { subscriptionId: '00000000-0000-0000-0000-000000000000', resourceGroup: 'shop', clusterName: 'shop-prod' },
  output: { htmlReport: true, jsonReport: true, excludeNamespaces: true },
  excluded_namespaces: ['kube-system'],
}
const profileInput = { name: 'Production', cluster_name: 'shop-prod', provider: 'aks', notes: '', settings }
const profile = { config_id: configId, ...profileInput, created_at: at, updated_at: at }
const savedProfile = { success: true, ...profile }

export const clusterConfigExamples: Record<keyof typeof clusterConfigRoutes, { answer: object }> = {
  listConfigs: { answer: { success: true, ...toPage(profile) } },
  createConfig: { answer: savedProfile },
  getConfig: { answer: profile },
  updateConfig: { answer: { ...savedProfile, notes: 'Weekly' } },
  deleteConfig: { answer: success },
  getConfigCommand: {
    answer: {
      powershell_command: 'Invoke-KubeBuddy -HtmlReport -jsonReport',
      powershell_multiline: 'Invoke-KubeBuddy `\n  -HtmlReport `\n  -jsonReport',
      docker_command: 'docker run ghcr.io/kubedeckio/kubebuddy',
      docker_powershell_command: 'docker run ghcr.io/kubedeckio/kubebuddy',
      docker_env: "-e HTML_REPORT='true'",
      native_command: 'kubebuddy run --html-report --json-report',
      yaml_filename: 'kubebuddy-config.yaml',
      ...{ credential_variables: [], container_credential_variables: [], warnings: [] },
    },
  },
  getConfigFile: {
    answer: {
      filename: 'kubebuddy-config.yaml',
      content: 'excluded_namespaces:\n  - kube-system\n',
      content_type: 'application/yaml',
    },
  },
  listBootstrapCandidates: {
    answer: {
      success: true,
      candidates: [
        {
          ...{ cluster_name: 'shop-prod', environment: 'prod', provider: 'aks', suggested_name: 'shop-prod' },
          ...{ last_run_id: runId, last_seen_at: at, already_configured: false },
        },
      ],
    },
  },
  bootstrapConfigs: {
    answer: {
      success: true,
      created: [profile],
      skipped: [{ cluster_name: 'shop-test', reason: 'no report of this cluster' }],
    },
  },
}
