export interface Candidate {
  value: string
  description?: string
}
