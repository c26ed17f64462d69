/** Whether a module of the program no longer exists, as after an update while it runs. */
export function isMissingModule(error: unknown) {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (/^(ERR_)?MODULE_NOT_FOUND$/.test((each as NodeJS.ErrnoException).code ?? '')) return true
  }
  return false
}
