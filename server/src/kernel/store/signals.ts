import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from './database.ts'
import type { RunStatement, SetUp } from './session.ts'

/**
 * Short messages between the nodes of a cluster. Correctness must not depend on them: any of them may be lost, so
 * a reader also polls the database.
 */
export interface Signals {
  /** Texts longer than `maxSignalLength` are not sent. */
  send(channel: string, text?: string): void
  /** Calls back with each text sent to the channel, by any node. Returns the function that unsubscribes. */
  on(channel: string, listener: (text: string) => void): () => void
}

/** Postgres accepts less than 8000 bytes. */
export const maxSignalLength = 7000

/** A single process has nobody to signal to. */
export const noSignals: Signals = { send() {}, on: () => () => {} }

/** The listeners by channel, in a process. */
function createListeners(changed: { first(channel: string): void; last(channel: string): void }) {
  const byChannel = new Map<string, Set<(text: string) => void>>()
  return {
    channels: () => [...byChannel.keys()],
    call(channel: string, text: string): void {
      for (const listener of byChannel.get(channel) ?? []) listener(text)
    },
    add(channel: string, listener: (text: string) => void): () => void {
      const listeners = byChannel.get(channel) ?? new Set()
      byChannel.set(channel, listeners)
      if (listeners.add(listener).size === 1) changed.first(channel)
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return
        byChannel.delete(channel)
        changed.last(channel)
      }
    },
  }
}

/** Signals that a transaction sends when it commits. */
export interface Announcements {
  announce(tx: Db, channel: string, text: string): Promise<void>
  /** Returns the function that unsubscribes. */
  onAnnounced: Signals['on']
}

/** The announcements of a single process, made soon after the call. */
export function localAnnouncements(): Announcements {
  const listeners = createListeners({ first() {}, last() {} })
  return {
    async announce(_tx, channel, text) {
      setImmediate(() => listeners.call(channel, text))
    },
    onAnnounced: listeners.add,
  }
}

/** Names of Postgres have at most 63 bytes. */
export const postgresName = (channel: string): string =>
  `parley_${createHash('sha256').update(channel).digest('hex').slice(0, 40)}`

/** LISTEN and NOTIFY. `listen` listens to all channels on a new connection. */
export function postgresSignals(pool: pg.Pool): { signals: Signals; announcements: Announcements; listen: SetUp } {
  let listening: RunStatement | undefined
  const names = new Map<string, string>()
  const run = (statement: string) => void listening?.(statement).catch(() => {}) // a new connection listens to all again
  const listeners = createListeners({
    first(channel) {
      names.set(postgresName(channel), channel)
      run(`listen ${postgresName(channel)}`)
    },
    last(channel) {
      names.delete(postgresName(channel))
      run(`unlisten ${postgresName(channel)}`)
    },
  })
  return {
    signals: {
      send(channel, text = '') {
        if (text.length > maxSignalLength) return
        pool.query('select pg_notify($1, $2)', [postgresName(channel), text]).catch(() => {})
      },
      on: listeners.add,
    },
    announcements: {
      async announce(tx, channel, text) {
        await sql`select pg_notify(${postgresName(channel)}, ${text})`.execute(tx)
      },
      onAnnounced: listeners.add,
    },
    async listen(runHere, client) {
      client.on('notification', ({ channel, payload = '' }) => {
        const name = names.get(channel)
        if (name !== undefined) listeners.call(name, payload)
      })
      listening = runHere
      await Promise.all(listeners.channels().map((channel) => runHere(`listen ${postgresName(channel)}`)))
    },
  }
}

/** Publish and subscribe of Redis, which costs the database nothing. */
export function redisSignals(publisher: Redis): { signals: Signals; close(): void } {
  // A subscription may be silent for long, so it has no timeout.
  const subscriber = publisher.duplicate({
    lazyConnect: false,
    enableOfflineQueue: true,
    maxRetriesPerRequest: null,
    commandTimeout: undefined,
    socketTimeout: undefined,
  })
  subscriber.on('error', () => {}) // the other connection reports it
  const prefix = 'parley '
  const listeners = createListeners({
    first: (channel) => void subscriber.subscribe(prefix + channel).catch(() => {}),
    last: (channel) => void subscriber.unsubscribe(prefix + channel).catch(() => {}),
  })
  subscriber.on('message', (channel, text) => listeners.call(channel.slice(prefix.length), text))
  return {
    signals: {
      send(channel, text = '') {
        if (text.length <= maxSignalLength) publisher.publish(prefix + channel, text).catch(() => {})
      },
      on: listeners.add,
    },
    close: () => subscriber.disconnect(),
  }
}
