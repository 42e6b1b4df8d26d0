import type { Store } from './database.ts'

const mostRemembered = 1000

/**
 * Remembers what was read until anything lasting changes in the database. Works only where this process owns the database
 * and can tell; elsewhere nothing is kept. What is remembered must follow from the database and the key alone, and is
 * shared: whoever gets it may not change it.
 */
export function createMemory<Value>({ changes }: Pick<Store, 'changes'>) {
  const values = new Map<string, Value>()
  let asOf = -1

  const known = (key: string): Value | undefined => {
    const now = changes()
    if (now === asOf) return values.get(key)
    values.clear()
    if (now !== null) asOf = now
    return undefined
  }

  const remember = async (key: string, read: () => Promise<Value>, isWorthIt = (_: Value) => true): Promise<Value> => {
    const before = changes()
    const value = await read()
    // What was read while something changed may be older than the change.
    if (before !== null && changes() === before && asOf === before && isWorthIt(value)) {
      if (values.size >= mostRemembered) values.clear()
      values.set(key, value)
    }
    return value
  }
  return { known, remember }
}

/**
 * Reads what is not remembered. What is, is remembered until anything lasting changes, or, where it rests on busy tables too,
 * until anything at all is written.
 */
export function rememberedUntil<Value>(count: 'changes' | 'writes') {
  const memories = new WeakMap<object, ReturnType<typeof createMemory<Value>>>()
  return async (store: Pick<Store, typeof count>, key: string, read: () => Promise<Value>): Promise<Value> => {
    let memory = memories.get(store)
    if (!memory) {
      memory = createMemory<Value>({ changes: store[count] })
      memories.set(store, memory)
    }
    return memory.known(key) ?? memory.remember(key, read)
  }
}
