import { isParleyError } from '@parley/client'

/** What the service found wrong with a field, to be shown beside it. */
export function fieldErrors(error: unknown): (path: string) => string | undefined {
  const details = isParleyError(error) ? error.details : []
  return (path) => details.find((detail) => detail.path === path || detail.path.startsWith(`${path}[`))?.message
}
