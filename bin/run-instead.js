import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'

const fromKeys = ['SIGINT', 'SIGQUIT']

/** Runs a program in place of this process: it gets the signals that this process gets, and this process ends as it does. */
export function runInstead(file, args) {
  const signals = [...fromKeys, 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => pass(signal))
  const child = spawn(file, args, { stdio: 'inherit' })
  const pass = (signal) => {
    if (!fromKeys.includes(signal) || !isInForeground()) child.kill(signal)
  }
  child.on('error', (error) => {
    console.error(`relt: cannot run its own Node: ${error.message}. Install Node 24.15 or newer.`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name)
    // As process 1 of a container, this process ignores the signal: it then ends as a shell reports one.
    process.exitCode = code ?? 128 + constants.signals[signal]
    if (signal !== null) process.kill(process.pid, signal)
  })
}

/** Ctrl-C reaches each process in the foreground of a terminal. Passed on, it would count twice. */
function isInForeground() {
  const [group, foreground] = process.platform === 'linux' ? groupsOfLinux() : groupsOfPs()
  return group === foreground
}

function groupsOfLinux() {
  // After the name in parentheses: state, parent, group, session, terminal, group in its foreground.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').pop().split(' ')
  return [fields[2], fields[5]]
}

function groupsOfPs() {
  const { stdout } = spawnSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8' })
  return stdout?.trim().split(/\s+/) ?? [0, 1]
}
