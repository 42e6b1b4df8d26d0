import { createHash } from 'node:crypto'
import type {
  Completion,
  GenerateRequest,
  LanguageModel,
  ModelMessage,
  TokenUsage,
  ToolCall,
} from '../../../server/src/kernel/llm/model.ts'
import { answerFrom } from './answer.ts'
import { isIncomplete, passagesOfTurn } from './passages.ts'
import { phrases } from './phrases.ts'
import type { Embed } from './rank/similarity.ts'
import { type SmallTalk, smallTalk } from './small-talk.ts'
import { speak, tokensIn } from './speak.ts'
import { languageOf } from './text/language.ts'
import { type ChosenTool, chooseTool } from './tools/choose-tool.ts'

export interface LocalModelOptions {
  /** Lets the choice of sentences go by meaning too. */
  embed?: Embed
}

/**
 * The model that needs no key, no network and no weights. It quotes the sentences that answer a question from what
 * tools have found, calls a tool that fits, and otherwise says what it is. The same request always gets the same reply.
 */
export function localModel(options: LocalModelOptions = {}): LanguageModel {
  return {
    async generate(request) {
      request.signal.throwIfAborted()
      const question = lastQuestion(request.messages)
      if (hasToolResults(request.messages)) {
        const passages = passagesOfTurn(request.messages)
        const { text } = await answerFrom(question, passages, { ...options, signal: request.signal })
        const isEarly = passages.length === 0 && isIncomplete(thisTurn(request.messages))
        return textReply(isEarly ? `${text} ${phrases(languageOf(question)).stillReading}` : text, request)
      }
      const talk = smallTalk(question)
      const chosen = talk === null ? chooseTool(question, request.tools) : null
      const call = chosen && toolCall(chosen, request.messages)
      if (call) return callReply(call, request)
      return textReply(introduction(question, talk, request.tools.length > 0), request)
    },
  }
}

const lastUserPlace = (messages: ModelMessage[]): number => messages.findLastIndex(({ role }) => role === 'user')
const lastQuestion = (messages: ModelMessage[]): string => messages[lastUserPlace(messages)]?.content ?? ''
const thisTurn = (messages: ModelMessage[]): ModelMessage[] => messages.slice(lastUserPlace(messages) + 1)
const hasToolResults = (messages: ModelMessage[]): boolean => thisTurn(messages).some(({ role }) => role === 'tool')

function introduction(question: string, talk: SmallTalk, hasTools: boolean): string {
  const said = phrases(languageOf(question))
  const opening = {
    greeting: said.greeting,
    thanks: said.welcome,
    'about-me': '',
    none: hasTools ? said.noToolFits : '',
  }
  return [opening[talk ?? 'none'], said.whatIAm, said.howToConnect].filter((sentence) => sentence !== '').join(' ')
}

/** The call, unless it has been made in this turn already. */
function toolCall({ name, arguments: values }: ChosenTool, messages: ModelMessage[]): ToolCall | null {
  const written = JSON.stringify(values)
  const made = thisTurn(messages).flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
  if (made.some((call) => call.name === name && call.arguments === written)) return null
  // The place in the conversation makes the id differ from that of the same call in another turn.
  const hash = createHash('sha256').update(`${messages.length}\n${name}\n${written}`).digest('hex')
  return { id: `call_${hash.slice(0, 24)}`, name, arguments: written }
}

async function textReply(text: string, request: GenerateRequest): Promise<Completion> {
  const { said, isCut } = await speak(text, request)
  const finishReason = isCut ? 'length' : 'stop'
  return { text: said, toolCalls: [], finishReason, usage: usage(request, tokensIn(said)) }
}

function callReply(call: ToolCall, request: GenerateRequest): Completion {
  const output = tokensIn(call.name, call.arguments)
  const isTooLong = request.maxTokens !== null && output > request.maxTokens
  // Half a call is of no use to anybody.
  if (isTooLong)
    return { text: '', toolCalls: [], finishReason: 'length', usage: usage(request, request.maxTokens ?? 0) }
  return { text: '', toolCalls: [call], finishReason: 'tool_calls', usage: usage(request, output) }
}

function usage({ messages, tools }: GenerateRequest, output: number): TokenUsage {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
  const input = tokensIn(
    ...messages.map(({ content }) => content),
    ...calls.flatMap(({ name, arguments: values }) => [name, values]),
    ...tools.flatMap(({ name, description, parameters }) => [name, description, JSON.stringify(parameters)]),
  )
  return { input, cachedInput: 0, output, reasoning: 0 }
}
