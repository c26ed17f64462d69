/** `12,277`: for people only, data keeps `12277`. */
export function number(value: number): string {
  return Number.isInteger(value) ? String(value).replace(/\B(?=(\d{3})+$)/g, ',') : String(value)
}
