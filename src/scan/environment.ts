export type ScanEnv = Record<string, string | undefined>
