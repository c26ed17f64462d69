/** Ways to start the scanner, in order of preference. */
export const runnerNames = ['native', 'powershell', 'docker', 'podman', 'nerdctl'] as const
export type RunnerName = (typeof runnerNames)[number]
