/** Only what differs, so that a field that somebody else has changed is left as it is. */
export function differences<Draft extends object>(before: Draft, draft: Draft): Partial<Draft> {
  const changed = Object.entries(draft).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Draft]),
  )
  return Object.fromEntries(changed) as Partial<Draft>
}
