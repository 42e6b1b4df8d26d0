/** Small enough that few messages beyond the screen are laid out, large enough that a long chat has few groups. */
const groupSize = 20

interface Group<M> {
  key: number
  messages: M[]
}

/** Messages in groups of equal size on both sides of the one at `origin`, so that no message changes its group. */
export function groupsFrom<M>(messages: readonly M[], origin: number): Group<M>[] {
  const groups: Group<M>[] = []
  for (const [index, message] of messages.entries()) {
    const key = Math.floor((index - origin) / groupSize)
    const last = groups.at(-1)
    if (last?.key === key) last.messages.push(message)
    else groups.push({ key, messages: [message] })
  }
  return groups
}
