import { ended, type MessageSource, type ReplySource, replay } from '../../runs/events.ts'
import type { Mask } from '../hidden.ts'

/**
 * A reply for a reader who may not see all of it. Its events show tool calls and reasoning, so they are replaced by those of
 * the masked reply, once it has ended. A reply of which nothing is hidden stays as it is.
 */
export function maskSource<Source extends MessageSource>(source: Source, mask: Mask): Source | ReplySource {
  if (mask(source.row) === source.row) return source
  const shown = () => replay(mask(source.row))
  return {
    get row() {
      return mask(source.row)
    },
    get ended() {
      return source.ended
    },
    get length() {
      return source.ended ? shown().length : 1
    },
    get finished() {
      return ended(source).then(() => mask(source.row))
    },
    at: (sequence) => shown().at(sequence),
    subscribe: (listener) => source.subscribe(listener),
  }
}
