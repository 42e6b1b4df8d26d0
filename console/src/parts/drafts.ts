/** The fields that differ. Sending only these keeps concurrent changes to other fields. */
export function changedFields<Draft extends object>(before: Draft, draft: Draft): Partial<Draft> {
  const changed = Object.entries(draft).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Draft]),
  )
  return Object.fromEntries(changed) as Partial<Draft>
}
