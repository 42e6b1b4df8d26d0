/** A path with parameters, as the router takes it. */
export function toTarget(url: string): { to: string; search: never } {
  const [to = '/', search = ''] = url.split('?')
  return { to, search: Object.fromEntries(new URLSearchParams(search)) as never }
}
