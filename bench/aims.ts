import type { Aim } from './bench.ts'

/** The figures that each bench should reach; a missed one is printed as such. */

/** Turns, beside the minimal server. */
export const chatAims = {
  /** By the number of conversations at once. */
  rate: { 1: { of: 'ratio', min: 0.5 }, 64: { of: 'ratio', min: 0.8 } } as Record<number, Aim>,
  firstDelta: { of: 'difference', max: 3 } satisfies Aim as Aim,
  memory: { max: 250 } satisfies Aim as Aim,
  /** The five hundredth turn, beside the first ones. */
  longConversation: { of: 'ratio', max: 1.5 } satisfies Aim as Aim,
}

/** Requests, beside a bare route that sends the same bytes; the start in seconds. */
export const requestAims: Record<'start' | 'one' | 'list' | 'write', Aim> = {
  start: { max: 5 },
  one: { of: 'ratio', min: 0.4 },
  list: { of: 'ratio', min: 0.3 },
  write: {},
}

/** 1,000 streams at once: milliseconds, cores and KiB. */
export const streamAims: Record<'gap' | 'processor' | 'memory', Aim> = {
  gap: { max: 100 },
  processor: { max: 0.7 },
  memory: { max: 100 },
}

/** A streamed turn on Postgres: milliseconds of processor time and transactions. */
export const nodeAims: Record<'nodes' | 'database' | 'transactions' | 'wal', Aim> = {
  nodes: { max: 2.5 },
  database: { max: 2.5 },
  transactions: { max: 3 },
  wal: {},
}

/** Nobody asks: megabytes of all processes, and transactions a second on Postgres. */
export const idleAims: Record<'demo' | 'empty' | 'transactions', Aim> = {
  demo: { max: 300 },
  empty: { max: 150 },
  transactions: { max: 2 },
}

/** Lists and figures of a large workspace: milliseconds. */
export const listAims: Record<'list' | 'anyPage' | 'usage' | 'analytics', Aim> = {
  list: { max: 100 },
  anyPage: { max: 300 },
  usage: { max: 200 },
  analytics: { max: 300 },
}
