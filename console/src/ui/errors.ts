import { isParleyError } from '@parley/client'

/** Returns a lookup for the validation error of a field. */
export function fieldErrors(error: unknown): (path: string) => string | undefined {
  const details = isParleyError(error) ? error.details : []
  return (path) => details.find((detail) => detail.path === path || detail.path.startsWith(`${path}[`))?.message
}
