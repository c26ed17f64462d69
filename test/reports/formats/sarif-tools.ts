/** SARIF logs in the shapes that tools write, made up: a log has `seed` as a part of its names and lines. */

type Result = Record<string, unknown>

interface Shape {
  tool: string
  rules?: Record<string, unknown>[]
  run?: Record<string, unknown>
  results: (seed: number) => Result[]
}

const text = (text: string) => ({ text })
const file = (uri: string, region?: object, more: object = {}) => ({
  physicalLocation: { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, ...(region && { region }) },
  ...more,
})
const logical = (...names: string[]) => ({ logicalLocations: names.map((name) => ({ fullyQualifiedName: name })) })

const shapes: Shape[] = [
  {
    // One location for all packages of an image; the package stands in the message alone.
    tool: 'Trivy',
    run: { properties: { imageName: 'shop/web:1.2.3' } },
    results: (seed) =>
      ['openssl', 'libssl3', 'libcrypto3'].map((name) => ({
        ruleId: `CVE-2026-${seed}`,
        ruleIndex: 0,
        level: 'error',
        message: text(
          `Package: ${name}\nInstalled Version: 3.0.${seed}\nVulnerability CVE-2026-${seed}\nSeverity: HIGH\nFixed Version: 3.1.0\nLink: [CVE](https://avd.example)`,
        ),
        locations: [
          file(
            'shop/web',
            { startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 },
            { message: text(`shop/web: ${name}@3.0.${seed}`) },
          ),
        ],
      })),
  },
  {
    // Two versions of a package in one lock file, at lines that the tool knows.
    tool: 'Trivy',
    results: (seed) =>
      ['4.17.15', '4.17.20'].map((version, i) => ({
        ruleId: `CVE-2026-${seed}`,
        message: text(`Package: lodash\nInstalled Version: ${version}\nSeverity: HIGH\nFixed Version: 4.17.21`),
        locations: [file('package-lock.json', { startLine: 10 + i * 40, endLine: 14 + i * 40 })],
      })),
  },
  {
    // Rule ids carry the package, logical locations the image with its digest; index 0 for all.
    tool: 'Grype',
    rules: [{ id: 'other', shortDescription: text('Another rule') }],
    results: (seed) =>
      ['deb', 'npm'].flatMap((type) =>
        ['zlib', 'curl'].map((name) => ({
          ruleId: `CVE-2026-${seed}-${name}`,
          ruleIndex: 0,
          message: text(
            `A high vulnerability in ${type} package: ${name}, version 1.${seed} was found at: /var/lib/${type}`,
          ),
          partialFingerprints: { primaryLocationLineHash: `${name}${type}${seed}:1` },
          locations: [
            {
              ...file(`/var/lib/${type}`, { startLine: 1, startColumn: 1 }),
              ...logical(`shop/web:1.2@sha256:${'ab'.repeat(32)}:/var/lib/${type}`),
            },
          ],
        })),
      ),
  },
  {
    // The same sentence for each resource of one file.
    tool: 'Checkov',
    results: (seed) =>
      [3, 30, 61].map((line) => ({
        ruleId: 'CKV_K8S_22',
        ruleIndex: 0,
        level: 'error',
        attachments: [],
        message: text('Use read-only filesystem for containers where possible'),
        locations: [
          file('deploy/all.yaml', {
            startLine: line + seed,
            endLine: line + seed + 20,
            snippet: text('kind: Deployment\n'),
          }),
        ],
      })),
  },
  {
    tool: 'KICS',
    results: (seed) =>
      ['web', 'cart'].flatMap((name) =>
        [12, 14].map((line) => ({
          ruleId: 'a97a340a-0063-418e-b3a1-3028941d0995',
          kind: 'fail',
          message: text(`metadata.name={{${name}}}.spec.containers.name={{c}}.securityContext should be set`),
          locations: [file('deploy/all.yaml', { startLine: line + seed, startColumn: 1 })],
        })),
      ),
  },
  {
    // Fingerprints of its own; two matches in one line.
    tool: 'Semgrep OSS',
    results: (seed) =>
      [5, 40].map((column) => ({
        ruleId: 'yaml.kubernetes.security.run-as-non-root',
        message: text('Container may run as root.'),
        fingerprints: { 'matchBasedId/v1': `${'f'.repeat(60)}${seed}_${column === 5 ? 0 : 1}` },
        locations: [
          file('deploy/web.yaml', {
            startLine: 7 + seed,
            startColumn: column,
            endColumn: column + 9,
            snippet: text('x'),
          }),
        ],
        properties: {},
      })),
  },
  {
    // One hash for a line: two results of the line differ in their columns; related places beside.
    tool: 'CodeQL',
    run: {
      artifacts: [{ location: { uri: 'src/a.js' } }, { location: { uri: 'src/b.js' } }],
      automationDetails: { id: '/language:javascript/2026-08-20' },
    },
    results: (seed) =>
      [0, 1].flatMap((index) =>
        [9, 33].map((column) => ({
          ruleId: 'js/xss',
          rule: { id: 'js/xss', index: 0, toolComponent: { index: 0 } },
          message: text('Cross-site scripting vulnerability due to [user-provided value](1).'),
          partialFingerprints: {
            primaryLocationLineHash: `39fa2ee980eb94b${seed}:1`,
            primaryLocationStartColumnFingerprint: '4',
          },
          locations: [
            { physicalLocation: { artifactLocation: { index }, region: { startLine: 4, startColumn: column } } },
          ],
          relatedLocations: [file('src/c.js', { startLine: column }, { id: 1, message: text('user-provided value') })],
        })),
      ),
  },
  {
    tool: 'gosec',
    results: (seed) =>
      ['main.go', 'cmd/run.go'].flatMap((uri) =>
        [3, 8].map((line) => ({
          ruleId: 'G104',
          level: 'warning',
          message: text('Errors unhandled'),
          locations: [
            file(uri, {
              startLine: line + seed,
              startColumn: 2,
              endLine: line + seed,
              endColumn: 2,
              sourceLanguage: 'go',
              snippet: text('f()'),
            }),
          ],
        })),
      ),
  },
  {
    tool: 'Hadolint',
    results: (seed) =>
      [2, 9].map((line) => ({
        ruleId: 'DL3008',
        level: 'warning',
        message: text(
          'Pin versions in apt get install. Instead of `apt-get install <package>` use `apt-get install <package>=<version>`',
        ),
        locations: [
          file('Dockerfile', {
            startLine: line + seed,
            startColumn: 1,
            endLine: line + seed,
            endColumn: 1,
            sourceLanguage: 'dockerfile',
          }),
        ],
      })),
  },
  {
    // A result for each place that has to be mended: the further ones tell it apart.
    tool: 'kubescape',
    results: (seed) =>
      ['web.yaml', 'cart.yaml'].map((uri) => ({
        ruleId: 'C-0017',
        level: 'error',
        message: text('Immutable container filesystem'),
        locations: [file('deploy/first.yaml', { startLine: seed }), file(`deploy/${uri}`, { startLine: 4 })],
        fixes: [],
      })),
  },
  {
    tool: 'kube-score',
    results: (seed) =>
      ['Container Resources', 'Container Image Tag'].flatMap((name, rule) =>
        ['a', 'b'].map((container) => ({
          ruleId: `container-${rule}`,
          ruleIndex: rule,
          level: 'error',
          message: text(`(${container}) ${name} is not set`),
          locations: [file(`deploy/web-${seed}.yaml`, { startLine: 1 })],
        })),
      ),
  },
  {
    // No file, only the name of the dependency.
    tool: 'Snyk Container',
    results: (seed) =>
      ['openssl', 'curl'].map((name) => ({
        ruleId: `SNYK-DEBIAN12-${name.toUpperCase()}-${seed}`,
        level: 'error',
        message: text(`This file introduces a vulnerable ${name} package with a high severity vulnerability.`),
        locations: [{ ...file('shop/web', { startLine: 1 }), ...logical(`${name}@1.${seed}`) }],
      })),
  },
  {
    tool: 'tfsec',
    results: (seed) =>
      [8, 20].map((line) => ({
        ruleId: 'aws-s3-enable-versioning',
        message: text('Bucket does not have versioning enabled'),
        locations: [file('main.tf', { startLine: line + seed, endLine: line + seed + 4 })],
      })),
  },
  {
    tool: 'terrascan',
    results: (seed) =>
      ['web', 'cart'].map((name) => ({
        ruleId: 'AC_K8S_0064',
        level: 'warning',
        message: text('Apply Security Context to Your Pods and Containers'),
        locations: [
          {
            ...file('deploy/all.yaml', { startLine: 1 + seed }),
            logicalLocations: [{ name, kind: 'kubernetes_deployment' }],
          },
        ],
      })),
  },
  {
    tool: 'dependency-check',
    results: (seed) =>
      ['lib/a.jar', 'lib/b.jar'].map((uri) => ({
        ruleId: `CVE-2025-${seed}`,
        message: { id: 'default', arguments: [uri, `1.${seed}`] },
        locations: [{ ...file(uri), ...logical(`pkg:maven/shop/${uri}@1.${seed}`) }],
      })),
  },
]

/** For each shape, logs of three seeds. */
export const toolLogs = shapes.flatMap(({ tool, rules, run, results }) =>
  [1, 2, 3].map((seed) => ({
    name: `${tool} ${seed}`,
    log: {
      version: '2.1.0',
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      runs: [
        { tool: { driver: { name: tool, version: '1.0.0', ...(rules && { rules }) } }, ...run, results: results(seed) },
      ],
    },
  })),
)
