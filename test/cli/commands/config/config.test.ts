import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'

test('a setting is kept, read, and taken back', async () => {
  const home = temporaryFolder()
  const run = (...argv: string[]) => runCli(['config', ...argv], { home })
  expect(await run('set', 'timeout', '30')).toEqual({ code: 0, stdout: '', stderr: '✓ Set timeout to 30\n' })
  expect(await run('set', 'output', 'csv', '--json')).toMatchObject({
    stdout: '{"key":"output","value":"csv","default":"table"}\n',
  })
  const file = join(home, 'config.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ timeout: 30, output: 'csv' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { settings, ...place } = JSON.parse((await run('list', '--json')).stdout)
  expect(place).toEqual({ file })
  expect(settings).toContainEqual(expect.objectContaining({ key: 'timeout', value: 30, default: '120' }))
  expect(await run('set', 'timeout', '')).toMatchObject({ stderr: '✓ Reset timeout; default: 120\n' })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ output: 'csv' })
})

test('config list tells of every setting', async () => {
  const home = temporaryFolder()
  const server = { url: 'https://radar.example/api/relt/v1', username: 'ada', secret: 'file' }
  writeFileSync(join(home, 'config.json'), JSON.stringify({ output: 'csv', servers: { work: server } }))
  const { stdout } = await runCli(['config', 'list'], { home, columns: 120, env: { NO_COLOR: '1' } })
  expect(`\n${stdout}`).toMatchInlineSnapshot(`
    "
    key,value,description
    server,local,current server; local for the store on this machine
    cluster,"RELT_CLUSTER, else the only cluster","current cluster, such as prod-eu or prod-eu/prod"
    environments,"RELT_ENVIRONMENTS, else by name: development, test, staging, others, production","environments that upgrade plans of several clusters take first, such as dev,staging,prod"
    output,csv,default output format
    timeout,120,"limit of a call in seconds, including retries"
    ca_file,none,PEM file with additional trusted certificates
    spool_max_size_mb,1024,maximum size of the spool in megabytes
    log_level,info,"log level of relt serve; reloaded on SIGHUP, as are the next three and environments"
    rate_limit_user,600,requests per minute and user; 0 for no limit
    rate_limit_address,300,requests per minute and address; 0 for no limit
    plan_limits,none,"limits of plans, as in RELT_PLAN_LIMITS"
    time_zone,"RELT_TIME_ZONE, else that of the machine","time zone of relt serve, such as Europe/Berlin: findings are new since 8:00 there"
    servers.work.insecure_http,false,"allow plain HTTP, which exposes credentials"
    servers.work.ca_file,none,PEM file with additional trusted certificates
    "
  `)
})

test.each([
  [
    ['set', 'colour', 'red'],
    'No setting named "colour".',
    'Known settings: server, cluster, environments, output, timeout, ca_file, spool_max_size_mb, log_level, rate_limit_user, rate_limit_address, plan_limits, time_zone.',
  ],
  [
    ['set', '__proto__', '1'],
    'No setting named "__proto__".',
    'Known settings: server, cluster, environments, output, timeout, ca_file, spool_max_size_mb, log_level, rate_limit_user, rate_limit_address, plan_limits, time_zone.',
  ],
  [['set', 'timeout', '0'], 'timeout cannot be "0".', 'Use a whole number from 1 to 3600.'],
  [['set', 'output', 'xml'], 'output cannot be "xml".', 'Use one of table, wide, json, yaml, csv, markdown.'],
  [['set', 'server', 'work'], 'No server named "work".', 'Known servers: local.'],
])('config %j is refused', async (argv, message, hint) => {
  expect(await runCli(['config', ...argv], { home: temporaryFolder() })).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: ${message}\nhint: ${hint}\n`,
  })
})

test.each([
  ['{', "Expected property name or '}' in JSON at position 1 (line 1 column 2)"],
  ['[]', 'it holds no object'],
  [
    '{"colour": "red"}',
    'colour: is not known; known are server, cluster, environments, output, timeout, ca_file, spool_max_size_mb, log_level, rate_limit_user, rate_limit_address, plan_limits',
  ],
  ['{"timeout": "soon"}', 'timeout: a whole number from 1 to 3600 is needed'],
  ['{"servers": {"a": {}}}', 'servers.a: url and username are needed'],
  [
    '{"servers": {"a": {"url": "x y", "username": "a", "secret": "file"}}}',
    'servers.a: This is not the address of a server.\n',
  ],
  ['{"servers": {"../a": {"url": "https://x", "username": "a", "secret": "file"}}}', 'servers.../a: a name of letters'],
])('a broken file %s is told with what is wrong in it', async (text, why) => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'config.json'), text)
  for (const argv of [['config', 'list'], ['stats']]) {
    const { code, stdout, stderr } = await runCli(argv, { home })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`error: ${join(home, 'config.json')} cannot be used: ${why}`)
  }
})

test('an output format in the settings file that does not exist is refused, and can be mended', async () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'config.json'), JSON.stringify({ output: 'xml' }))
  expect(await runCli(['version'], { home })).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: The setting output cannot be "xml".\nhint: one of table, wide, json, yaml, csv, markdown is needed.\n',
  })
  expect((await runCli(['config', 'set', 'output', 'json'], { home })).code).toBe(0)
  expect((await runCli(['version'], { home })).code).toBe(0)
})
