import { answeringThread } from '@parley/threads'
import { minute } from '../time.ts'
import type { Span } from './book.ts'
import type { Place } from './worker.ts'

/** Statistics over many rows, answered by a thread of their own from days that are kept as columns of numbers. */
export interface Figures {
  ask<Answer>(book: URL, workspace: string, span: Partial<Span>, question: unknown): Promise<Answer>
  close(): Promise<void>
}

const everyDay: Span = { from: '0000-01-01', to: '9999-12-31' }

/** The thread ends when nobody has asked for a while. */
export function openFigures(place: Place): Figures {
  const thread = answeringThread(new URL('./worker.ts', import.meta.url), {
    workerData: place,
    whenGone: 'The thread that reads the figures has ended.',
    idleFor: 2 * minute,
  })
  return {
    ask: (book, workspace, span, question) =>
      thread.ask({ book: book.href, asked: { workspace, ...everyDay, ...span, question } }),
    close: () => thread.end(),
  }
}
