interface Shown {
  id: string
  updated_at: string
  status: string
  versions: string[]
  feedback: { comment: string | null } | null
}

/** Merges loaded messages into the shown ones. Unchanged messages stay the same objects and are not rendered again. */
export function merged<M extends Shown>(shown: readonly M[], loaded: readonly M[]): M[] {
  const known = new Map(shown.map((message) => [message.id, message]))
  const next = loaded.map((message) => {
    const before = known.get(message.id)
    return before && isSame(before, message) ? before : message
  })
  // Older messages that were loaded by scrolling stay.
  const at = shown.findIndex(({ id }) => id === loaded[0]?.id)
  return at > 0 ? [...shown.slice(0, at), ...next] : next
}

const isSame = (one: Shown, other: Shown): boolean =>
  one.updated_at === other.updated_at &&
  one.status === other.status &&
  one.versions.length === other.versions.length &&
  one.feedback?.comment === other.feedback?.comment
