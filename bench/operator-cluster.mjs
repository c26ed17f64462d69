#!/usr/bin/env node
// kubectl for the bench `collect`: answers as the API server of a cluster with Trivy's operator, page by page. REPORTS workloads
// share 1,000 images with 200 vulnerabilities each, as large as Trivy writes them.
const reports = Number(process.env.REPORTS)
const images = 1000
const perImage = 200
const args = process.argv.slice(2)
const url = new URL(args[args.indexOf('--raw') + 1] ?? '/', 'http://api')
const limit = Number(url.searchParams.get('limit') ?? 500)
const start = Number(url.searchParams.get('continue') ?? 0)
const group = 'aquasecurity.github.io'

if (args[0] === 'auth') process.stdout.write('no\n')
else if (url.pathname === '/version') write({ gitVersion: 'v1.33.6' })
else if (url.pathname === `/apis/${group}`) write({ preferredVersion: { version: 'v1alpha1' } })
else if (url.pathname === `/apis/${group}/v1alpha1`) write({ resources: [{ name: 'vulnerabilityreports' }] })
else if (url.pathname === '/api/v1/pods') list(pod)
else if (url.pathname.endsWith('/vulnerabilityreports')) list(report)
else write({ kind: 'List', metadata: {}, items: [] })

function write(value) {
  process.stdout.write(JSON.stringify(value))
}

function list(item) {
  const end = Math.min(start + limit, reports)
  const more = end < reports ? { continue: String(end) } : {}
  process.stdout.write(`{"kind":"List","metadata":${JSON.stringify(more)},"items":[`)
  for (let i = start; i < end; i++) process.stdout.write((i > start ? ',' : '') + item(i))
  process.stdout.write(']}')
}

function pod(i) {
  return JSON.stringify({
    metadata: {
      name: `service-${i}-0`,
      namespace: `team-${i % 97}`,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: `service-${i}`, controller: true }],
    },
    spec: { containers: [{ name: 'app', image: `corp/app-${i % images}:1.0` }] },
    status: { phase: 'Running' },
  })
}

function report(i) {
  const image = i % images
  const name = `service-${i}`
  const namespace = `team-${i % 97}`
  const head = JSON.stringify({
    apiVersion: `${group}/v1alpha1`,
    kind: 'VulnerabilityReport',
    metadata: {
      ...{ name: `statefulset-${name}-app`, namespace, creationTimestamp: new Date().toISOString() },
      labels: {
        'trivy-operator.container.name': 'app',
        'trivy-operator.resource.kind': 'StatefulSet',
        'trivy-operator.resource.name': name,
        'trivy-operator.resource.namespace': namespace,
      },
    },
    report: {
      artifact: { repository: `corp/app-${image}`, tag: '1.0', digest: `sha256:${String(image).padStart(64, '0')}` },
      registry: { server: 'registry.corp.example' },
    },
  })
  const rows = Array.from({ length: perImage }, (_, n) => row(image, n))
  return `${head.slice(0, -2)},"vulnerabilities":[${rows.join(',')}]}}`
}

function row(image, n) {
  const id = `CVE-2026-${(image * 37 + n * 11) % 25_000}`
  const severity = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'][n % 4]
  return `{"vulnerabilityID":"${id}","resource":"library-${n % 60}","installedVersion":"1.${image % 9}.${n}-1+deb12u2","fixedVersion":"1.${image % 9}.${n + 1}","severity":"${severity}","title":"library-${n % 60}: a flaw in the parser allows a remote attacker to read memory","primaryLink":"https://avd.aquasec.com/nvd/${id.toLowerCase()}","links":[],"publishedDate":"2026-03-01T10:15:09Z","lastModifiedDate":"2026-06-01T10:15:09Z","score":7.5,"target":"","packagePURL":"pkg:deb/debian/library-${n % 60}@1.${image % 9}.${n}?arch=amd64&distro=debian-12","class":"os-pkgs","packageType":"debian"}`
}
