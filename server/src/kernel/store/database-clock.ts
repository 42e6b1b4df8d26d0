import type pg from 'pg'
import { type Clock, second } from '../time.ts'

const measureEvery = 30 * second
/** The measurement of a slower response is too inaccurate. */
const maxRoundTrip = second / 4

/**
 * The clock of the database: the nodes of a cluster compare times that others have stored, so all of them need the same
 * one, whatever their own clocks say. Between two measurements it advances with the time since the process started.
 */
export async function databaseClock(pool: pg.Pool): Promise<{ now: Clock; close(): void }> {
  let offset = await measure(pool)
  const timer = setInterval(async () => {
    const started = performance.now()
    const measured = await measure(pool).catch(() => null)
    if (measured !== null && performance.now() - started < maxRoundTrip) offset = measured
  }, measureEvery)
  timer.unref()
  return { now: () => Math.floor(performance.now() + offset), close: () => clearInterval(timer) }
}

async function measure(pool: pg.Pool): Promise<number> {
  const started = performance.now()
  const { rows } = await pool.query<{ now: string }>('select extract(epoch from clock_timestamp()) * 1000 as now')
  return Number(rows[0]?.now) - (started + performance.now()) / 2
}
