import { ended, type MessageSource, type ReplySource, replay, type TurnEvent } from '../../runs/events.ts'
import { hasLink, type Mask } from '../hidden.ts'

/**
 * A reply for a reader who may not see all of it. Its events show tool calls and reasoning, so they are replaced by those of
 * the masked reply, once it has ended. A reply of which nothing is hidden stays as it is.
 */
export function maskSource<Source extends MessageSource>(source: Source, mask: Mask): Source | ReplySource {
  const { row } = source
  const isShown = mask(row) === row || (hasLink(row) && mask(row).tool_calls.length === row.tool_calls.length)
  if (isShown) return mask.seesLinks ? source : withoutLinks(source, mask)
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

/** The events as they come, without the links that connect an account. */
function withoutLinks(source: MessageSource, mask: Mask): ReplySource {
  return {
    get row() {
      return mask(source.row)
    },
    get ended() {
      return source.ended
    },
    get length() {
      return source.length
    },
    get isHeldBack() {
      return source.isHeldBack ?? false
    },
    get finished() {
      return ended(source).then(() => mask(source.row))
    },
    at: (sequence) => withoutLink(source.at(sequence)),
    subscribe: (listener) => source.subscribe(listener),
  }
}

const withoutLink = <Event extends TurnEvent>(event: Event): Event =>
  event.type === 'connection.required' ? { ...event, authorize_url: null } : event
