import { callIds } from '../../kernel/agent/approval.ts'
import type { Steps } from '../../kernel/agent/steps.ts'
import { isToolMessage, maxMessageTokens } from '../../kernel/agent/window.ts'
import { type ImagePart, type ModelMessage, messageText } from '../../kernel/llm/model.ts'
import { toolMessages } from './earlier-calls.ts'
import type { Attachment, StoredToolCall } from './schema.ts'

/** The messages of a conversation as a model sees them. */
export interface History {
  /** Its newest message. If the database has a newer one, another node stored a turn and the cache is stale. */
  lastMessageId: string | null
  messages: ModelMessage[]
  /** The message of the conversation that each of them is a part of. */
  rowIds: string[]
  /** The documents that are attached to its messages. */
  documents: Attachment[]
  characters: number
  maxTokens: number
}

/** The maximum number of messages of a conversation that are sent to a model. */
export const maxHistoryMessages = 2000
/** The memory that a cached message takes beside its text, in characters. */
const cachedMessageOverhead = 100

/** The parts of a message that a history needs. */
export interface HistoryMessage {
  id?: string
  role: 'user' | 'assistant'
  content: string
  attachments?: Attachment[]
  /** Older replies are sent without their tool calls. */
  tool_calls?: StoredToolCall[]
}

/** Makes the messages of a run shorter. */
export type Shorten = (messages: ModelMessage[], signal: AbortSignal) => Promise<ModelMessage[]>

export function toHistory(messages: readonly HistoryMessage[], lastMessageId: string | null = null): History {
  const history: History = { lastMessageId, messages: [], rowIds: [], documents: [], characters: 0, maxTokens: 0 }
  const used = new Set<string>()
  for (const { id = '', role, content, attachments = [], tool_calls = [] } of messages) {
    if (role === 'assistant') addReply(history, { id, content, tool_calls }, used)
    else addQuestion(history, { id, content, attachments })
  }
  return history
}

function add(history: History, id: string, message: ModelMessage): void {
  history.messages.push(message)
  history.rowIds.push(id)
  history.characters += messageText(message).length + cachedMessageOverhead
  history.maxTokens += maxMessageTokens(message)
}

export function addQuestion(
  history: History,
  { id, content, attachments }: { id: string; content: string; attachments: Attachment[] },
): void {
  add(history, id, questionMessage(content, attachments))
  history.documents.push(...documentsIn(attachments))
}

/** The model message of a question, with its images. */
export function questionMessage(content: string, attachments: Attachment[]): ModelMessage {
  const images = imagesIn(attachments)
  return images.length > 0 ? { role: 'user', content, parts: images } : { role: 'user', content }
}

export function addReply(
  history: History,
  { id, content, tool_calls }: { id: string; content: string; tool_calls: StoredToolCall[] },
  used?: Set<string>,
): void {
  for (const message of toolMessages(tool_calls, () => used ?? callIds(history.messages))) add(history, id, message)
  if (content !== '') add(history, id, { role: 'assistant', content })
}

/** Reads a history as a step. Without tools, earlier tool calls are removed, because some providers reject them. */
export const readInStep = <Read extends History>(
  steps: Steps,
  read: () => Promise<Read> | Read,
  hasTools: boolean,
): Promise<Read> =>
  steps.run('history', async (step) => {
    const history = await read()
    const messages = hasTools ? history.messages : history.messages.filter((message) => !isToolMessage(message))
    step.note({ messages: messages.length })
    return { ...history, messages }
  })

const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

export const isImageType = (mediaType: string): boolean => imageTypes.includes(mediaType)

export const isImage = ({ media_type }: Attachment): boolean => isImageType(media_type)

const imagesIn = (attachments: readonly Attachment[]): ImagePart[] =>
  attachments
    .filter(isImage)
    .map(({ file_id, name, media_type }) => ({ type: 'image', file: file_id, name, mediaType: media_type }))

export const documentsIn = (attachments: readonly Attachment[]): Attachment[] =>
  attachments.filter((attachment) => !isImage(attachment))
