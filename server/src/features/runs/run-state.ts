/**
 * preparing: what it costs at most is being reserved, and its start stored
 * running:   the agent loop runs; progress is stored
 * ending:    the loop has ended; the reply and the bill are being stored
 * waiting:   stored, and waits for somebody; another `Run` resumes it
 * ended:     stored as it will stay
 */
export type RunState = 'preparing' | 'running' | 'ending' | 'waiting' | 'ended'

const transitions: Record<RunState, readonly RunState[]> = {
  preparing: ['running', 'ended'],
  running: ['ending'],
  ending: ['waiting', 'ended'],
  waiting: [],
  ended: [],
}

/** Returns the next state, which must be one that follows. */
export function checkedState(state: RunState, next: RunState): RunState {
  if (!transitions[state].includes(next)) throw new Error(`A run cannot go from ${state} to ${next}.`)
  return next
}
