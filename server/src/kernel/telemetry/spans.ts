import type { TurnObserver } from '../agent/steps.ts'

/** The trace contexts (`traceparent`) that a turn starts in. */
export interface TurnStart {
  /** The request that started or resumed the turn. */
  request: string | null
  /** The trace in which a resumed turn started. */
  resumed?: { traceparent: string | null }
}

/** The span of one HTTP request. */
export interface RequestSpan {
  traceparent: string
  end(status: number): void
}

export interface Tracing {
  request(about: { method: string; route: string; path: string; traceparent: unknown }): RequestSpan
  turn(start: TurnStart): TurnObserver
  close(): Promise<void>
}
