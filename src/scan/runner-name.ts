/** How the scanner can be started, the one to prefer first. */
export const runnerNames = ['native', 'powershell', 'docker', 'podman', 'nerdctl'] as const
export type RunnerName = (typeof runnerNames)[number]
