import { createServer } from 'node:http'
import { type AddressInfo, connect, type Server } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { canMakeCertificates, openTlsServer } from '../helpers/tls-server.ts'
import { json, openHostile, projectPage } from './hostile.ts'

async function listen(server: Server & { closeAllConnections?: () => void }): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections?.()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A proxy that notes where it is asked to go. */
async function openProxy() {
  const asked: string[] = []
  const proxy = createServer()
  proxy.on('connect', (request, socket) => {
    asked.push(request.url!)
    const { port, hostname } = new URL(`http://${request.url}`)
    const target = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    for (const side of [socket, target]) side.on('error', () => {})
  })
  proxy.on('request', (request, response) => {
    asked.push(request.url!)
    response.writeHead(200, json).end(projectPage())
  })
  return { asked, url: `http://127.0.0.1:${await listen(proxy)}` }
}

const list = (env: Record<string, string>) => runCli(['projects', 'list', '--json'], { home: temporaryFolder(), env })

describe('a proxy of the environment', () => {
  test.each(['HTTP_PROXY', 'http_proxy'])('is gone through: %s', async (name) => {
    const target = await openHostile((_request, response) => response.writeHead(200, json).end(projectPage()))
    const proxy = await openProxy()
    expect(await list({ RELT_SERVER: target.url, [name]: proxy.url })).toMatchObject({ code: 0 })
    expect(proxy.asked).toEqual([expect.stringContaining(new URL(target.url).host)])
  })

  test('is left out for hosts that NO_PROXY names', async () => {
    const target = await openHostile((_request, response) => response.writeHead(200, json).end(projectPage()))
    const proxy = await openProxy()
    const env = { RELT_SERVER: target.url, HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' }
    expect(await list(env)).toMatchObject({ code: 0 })
    expect(proxy.asked).toEqual([])
    expect(target.requests).toHaveLength(1)
  })
})

describe.skipIf(!canMakeCertificates)('a server with a certificate of its own', () => {
  const openTls = () => openTlsServer((_request, response) => response.writeHead(200, json).end(projectPage()))

  test('is not trusted, and what to do is told', async () => {
    const { url } = await openTls()
    const { code, stdout, stderr } = await list({ RELT_SERVER: url })
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' })
    expect(stderr).toContain('is not trusted: DEPTH_ZERO_SELF_SIGNED_CERT')
    expect(stderr).toContain('RELT_CA_FILE')
  })

  test('is trusted by RELT_CA_FILE, also through a proxy', async () => {
    const { url, file } = await openTls()
    expect(await list({ RELT_SERVER: url, RELT_CA_FILE: file })).toMatchObject({ code: 0 })
    const proxy = await openProxy()
    expect(await list({ RELT_SERVER: url, RELT_CA_FILE: file, HTTPS_PROXY: proxy.url })).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(proxy.asked).toEqual([new URL(url).host])
  })

  test('is not asked when the file cannot be read', async () => {
    const { url } = await openTls()
    expect(await list({ RELT_SERVER: url, RELT_CA_FILE: '/no/such' })).toMatchObject({ code: 2, stdout: '' })
  })
})
