import { createConnection, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openClient, openServerWithUser } from '../client/open.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'

/** Reports without a scan time of their own, of a cluster without a fault and with one. */
const scanners: Record<string, (faults: number) => object> = {
  'kube-bench': (faults) => ({
    Controls: [
      {
        id: '1',
        text: 'Control plane',
        node_type: 'master',
        tests: [
          {
            section: '1.1',
            desc: 'Files',
            results: ['1.1.1', '1.1.2'].map((test_number, i) => ({
              test_number,
              test_desc: `Check ${test_number}`,
              status: i < faults ? 'FAIL' : 'PASS',
            })),
          },
        ],
      },
    ],
  }),
  trivy: (faults) => ({
    ClusterName: 'blue',
    Resources: [
      {
        Namespace: 'shop',
        Kind: 'Deployment',
        Name: 'web',
        Results: [
          {
            Target: 'Deployment/web',
            Class: 'config',
            Type: 'kubernetes',
            MisconfSummary: { Successes: 2 - faults, Failures: faults },
            ...(faults > 0 && {
              Misconfigurations: [
                {
                  ID: 'KSV001',
                  Title: 'Privilege escalation',
                  Message: 'Container web',
                  Severity: 'HIGH',
                  Status: 'FAIL',
                },
              ],
            }),
          },
        ],
      },
    ],
  }),
  popeye: (faults) => ({
    ClusterName: 'blue',
    popeye: {
      score: 90,
      sections: [
        {
          linter: 'pods',
          tally: { ok: 1, info: 0, warning: faults, error: 0, score: 90 },
          issues: {
            'shop/web': faults > 0 ? [{ group: '__root__', level: 3, message: '[POP-106] No resources defined' }] : [],
          },
        },
      ],
    },
  }),
  kubescape: (faults) => ({
    clusterName: 'blue',
    summaryDetails: {
      complianceScore: 80,
      controls: {
        'C-0016': {
          controlID: 'C-0016',
          name: 'Allow privilege escalation',
          scoreFactor: 6,
          statusInfo: { status: faults > 0 ? 'failed' : 'passed' },
          ResourceCounters: { passedResources: 1 - faults, failedResources: faults },
        },
      },
    },
    results: [
      {
        resourceID: 'apps/v1/shop/Deployment/web',
        controls: [
          {
            controlID: 'C-0016',
            name: 'Allow privilege escalation',
            status: { status: faults > 0 ? 'failed' : 'passed' },
            rules: [],
          },
        ],
      },
    ],
    resources: [],
  }),
  sarif: (faults) => ({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'lint', rules: [{ id: 'R1' }] } },
        results:
          faults > 0
            ? [
                {
                  ruleId: 'R1',
                  level: 'error',
                  message: { text: 'Privileged container' },
                  locations: [
                    { physicalLocation: { artifactLocation: { uri: 'web.yaml' }, region: { startLine: 3 } } },
                  ],
                },
              ]
            : [],
      },
    ],
  }),
}

describe.each(Object.keys(scanners))('reports of %s without a time', (scanner) => {
  test('clean, failing, the same failing, clean again: four runs, and the gate fails until it is mended', async () => {
    const home = temporaryFolder()
    const codes: number[] = []
    for (const faults of [0, 1, 1, 0]) {
      const argv = ['reports', 'upload', '-', '--cluster', 'blue', '--fail-on', 'new>=info']
      const stdin = JSON.stringify(scanners[scanner]!(faults))
      codes.push((await runCli(argv, { home, stdin })).code)
    }
    expect(codes).toEqual([0, 5, 5, 0])
    const { stdout } = await runCli(['reports', 'list', '--json'], { home })
    expect(JSON.parse(stdout)).toMatchObject({ total: 4 })
  })
})

/** Passes bytes on to a port, and hangs up instead of passing on the first so many answers. */
async function openLossy(port: number, losses: number): Promise<string> {
  let left = losses
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = createConnection(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream)
    upstream.on('data', (answer) => {
      if (left > 0) {
        left--
        client.destroy()
        upstream.destroy()
      } else client.write(answer)
    })
    upstream.on('end', () => client.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

test('an upload whose answer is lost ten times becomes one run', async () => {
  const { server } = await openServerWithUser()
  const { port, pathname } = new URL(server.url)
  const url = (await openLossy(Number(port), 10)) + pathname
  const client = openClient({ ...server, url })
  const upload = {
    body: { cluster: { name: 'blue' } },
    report: Buffer.from(JSON.stringify(scanners.sarif!(1))),
    idempotencyKey: 'one-upload',
  }
  let failures = 0
  for (;;) {
    try {
      expect(await client.call('uploadReport', upload)).toMatchObject({ duplicate: true })
      break
    } catch (error) {
      if ((error as { code?: string }).code !== 'unreachable') throw error
      failures++
    }
  }
  expect(failures).toBeGreaterThan(1)
  expect(await openClient(server).call('listReports', { query: { cluster_name: 'blue' } })).toMatchObject({ total: 1 })
})
