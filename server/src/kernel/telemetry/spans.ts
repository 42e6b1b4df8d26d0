import type { TurnObserver } from '../agent/steps.ts'

/** The trace contexts (`traceparent`) of what a turn belongs to. */
export interface TurnStart {
  /** Of the request that started or resumed the turn. */
  request: string | null
  /** Of the turn, if it is resumed. */
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
