import { createHash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Embedding } from '@parley/embedding'
import {
  answerFrom,
  askAgent,
  type ChosenTool,
  chooseAgents,
  chooseHandoff,
  chooseTool,
  detectLanguage,
  isAgentTool,
  isHandoffTool,
  isTableTool,
  type Passage,
  passagesIn,
  phrases,
  type RankOptions,
  type SmallTalk,
  smallTalk,
  tableStep,
} from '@parley/local-model'
import { partTexts } from './input-parts.ts'
import { sentenceEmbedding } from './local-embeddings.ts'
import { answerFromMemory, answerInstruction, toRemember } from './local-memory.ts'
import { rememberToolName } from './memory-prompt.ts'
import type { Completion, GenerateRequest, LanguageModel, ModelMessage, TokenUsage, ToolCall } from './model.ts'

/**
 * The model that needs no key, no network and no weights. It calls a tool that fits the question, quotes the answer from
 * the results, and otherwise introduces itself. The same request always gets the same reply.
 */
export function localModel(embedding?: Embedding): LanguageModel {
  return {
    async generate(request) {
      const { messages, signal } = request
      const tools = request.toolChoice === 'none' ? [] : request.tools
      signal.throwIfAborted()
      const instructed = answerInstruction(messages)
      if (instructed !== null) return textReply(instructed, request)
      const userAt = messages.findLastIndex(({ role }) => role === 'user')
      const question = messages[userAt]?.content ?? ''
      const attached = attachedPassages(messages[userAt])
      const turn = messages.slice(userAt + 1)
      const rank = { signal, ...(embedding && sentenceEmbedding(question, embedding, signal)) }
      const step = tableStep(question, names(tools), turn.filter(isToolMessage))
      if (step && 'text' in step) return textReply(step.text, request)
      if (step) return callReply([toolCall({ name: step.call, arguments: step.arguments }, messages.length)], request)
      const fact = turn.length === 0 ? toRemember(question, tools) : null
      if (fact !== null)
        return callReply([toolCall({ name: rememberToolName, arguments: { content: fact } }, messages.length)], request)
      if (turn.some((message) => isToolMessage(message) && message.name === rememberToolName))
        return textReply(phrasesFor(question).remembered, request)
      const agentNames = names(tools.filter(isAgentTool))
      const answers = turn.filter(isToolMessage)
      if (answers.length > 0 && answers.every(({ name }) => agentNames.includes(name)))
        return textReply(joinAnswers(answers), request)
      if (turn.some((message) => isToolMessage(message) && !isTableTool(message.name)))
        return textReply(await answer(question, turn, attached, rank), request)
      const talk = smallTalk(question)
      const quoted = talk === null && attached.length > 0 ? await answerFrom(question, attached, rank) : null
      if (quoted?.grade === 'answer') return textReply(quoted.text, request)
      const recalled = talk === null ? await answerFromMemory(question, messages[userAt], rank) : null
      if (recalled !== null) return textReply(`${phrasesFor(question).youTold} ${recalled}`, request)
      const wasHandedOn = messages.some((message) => partTexts(message).some(isHandoffNote))
      const chosen = talk === null ? chooseCalls(question, tools, wasHandedOn) : []
      const calls = chosen.filter((call) => !hasCalled(call, turn)).map((call) => toolCall(call, messages.length))
      if (calls.length > 0) return callReply(calls, request)
      return textReply(quoted?.text ?? introduction(question, talk, tools.length > 0), request)
    },
  }
}

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

const isToolMessage = (message: ModelMessage): message is ToolMessage => message.role === 'tool'
const names = (tools: GenerateRequest['tools']): string[] => tools.map(({ name }) => name)

const isHandoffNote = (text: string): boolean => text.includes('has passed this conversation on to you')

/** A handoff that fits, else the agents that fit, else another tool, else all agents: one of them may know. */
function chooseCalls(question: string, tools: GenerateRequest['tools'], wasHandedOn: boolean): ChosenTool[] {
  const handoff = wasHandedOn ? null : chooseHandoff(question, tools)
  if (handoff) return [handoff]
  const agents = chooseAgents(question, tools)
  if (agents.length > 0) return agents
  const others = tools.filter(
    (tool) => !isTableTool(tool.name) && !isHandoffTool(tool) && !isAgentTool(tool) && tool.name !== rememberToolName,
  )
  const chosen = chooseTool(question, others)
  return chosen ? [chosen] : tools.filter(isAgentTool).map((tool) => askAgent(question, tool))
}

/** The answers of other agents are answers already, so they are not quoted again. */
const joinAnswers = (answers: ToolMessage[]): string =>
  answers.length === 1
    ? (answers[0]?.content ?? '')
    : answers.map(({ name, content }) => `${name}: ${content}`).join('\n\n')

/** Passages found in attached files, which are sent with the question. */
const attachedPassages = (question: ModelMessage | undefined): Passage[] =>
  (question ? partTexts(question) : [])
    .flatMap((text) => passagesIn(text, 'attached files'))
    .filter(({ kind }) => kind === 'found')

async function answer(question: string, turn: ModelMessage[], attached: Passage[], rank: RankOptions): Promise<string> {
  const results = turn.filter(isToolMessage).filter(({ name }) => !isTableTool(name))
  const passages = [...attached, ...results.flatMap(({ content, name }) => passagesIn(content, name))]
  const { text } = await answerFrom(question, passages, rank)
  const isIndexing = passages.length === 0 && results.some(isIncomplete)
  return isIndexing ? `${text} ${phrases(question).stillIndexing}` : text
}

/** Whether a search says that more may be found soon. */
function isIncomplete({ content }: ToolMessage): boolean {
  try {
    const value = JSON.parse(content) as { incomplete?: unknown } | null
    return typeof value?.incomplete === 'string'
  } catch {
    return false
  }
}

function hasCalled({ name, arguments: values }: ChosenTool, turn: ModelMessage[]): boolean {
  const written = JSON.stringify(values)
  return callsIn(turn).some((call) => call.name === name && call.arguments === written)
}

const callsIn = (messages: ModelMessage[]): ToolCall[] =>
  messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))

/** The position in the conversation makes the id differ from that of the same call in another turn. */
function toolCall({ name, arguments: values }: ChosenTool, position: number): ToolCall {
  const written = JSON.stringify(values)
  const hash = createHash('sha256').update(`${position}\n${name}\n${written}`).digest('hex')
  return { id: `call_${hash.slice(0, 24)}`, name, arguments: written }
}

function introduction(question: string, talk: SmallTalk, hasTools: boolean): string {
  const own = phrasesFor(question)
  const opening = {
    greeting: own.greeting,
    thanks: own.welcome,
    'about-me': '',
    none: hasTools ? own.noToolFits : '',
  }
  return [opening[talk ?? 'none'], own.whatIAm, own.howToConnect].filter((text) => text !== '').join(' ')
}

async function textReply(whole: string, request: GenerateRequest): Promise<Completion> {
  const text = beforeStop(whole, request.sampling?.stop ?? [])
  const shown = await stream(text, request)
  const finishReason = shown.length < text.length ? 'length' : 'stop'
  return { text: shown, toolCalls: [], finishReason, usage: usage(request, estimateTokens(shown)) }
}

const beforeStop = (text: string, stop: string[]): string =>
  text.slice(0, Math.min(text.length, ...stop.map((end) => text.indexOf(end)).filter((at) => at >= 0)))

function callReply(calls: ToolCall[], request: GenerateRequest): Completion {
  const output = estimateTokens(...calls.flatMap(({ name, arguments: values }) => [name, values]))
  // Half a call is useless.
  if (request.maxTokens !== null && output > request.maxTokens)
    return { text: '', toolCalls: [], finishReason: 'length', usage: usage(request, request.maxTokens) }
  return { text: '', toolCalls: calls, finishReason: 'tool_calls', usage: usage(request, output) }
}

function usage({ messages, tools }: GenerateRequest, output: number): TokenUsage {
  const input = estimateTokens(
    ...messages.flatMap((message) => [...partTexts(message), message.content]),
    ...callsIn(messages).flatMap(({ name, arguments: values }) => [name, values]),
    ...tools.flatMap(({ name, description, parameters }) => [name, description, JSON.stringify(parameters)]),
  )
  return { input, cachedInput: 0, output, reasoning: 0 }
}

const charactersPerToken = 4
/** Other work gets a turn after so many words. */
const wordsBeforeYield = 200

/** The model has no tokens of its own, so they are estimated from the length. */
export const estimateTokens = (...texts: string[]): number =>
  Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / charactersPerToken)

/** Streams a text word by word up to the token limit. Returns the streamed part. */
async function stream(text: string, { onText, signal, maxTokens }: GenerateRequest): Promise<string> {
  const allowed = maxTokens === null ? text : truncate(text, maxTokens * charactersPerToken)
  // Text without spaces is cut into pieces.
  const words = allowed.match(/\s*\S{1,24}|\s+$/gu) ?? []
  for (const [index, word] of words.entries()) {
    if (index > 0 && index % wordsBeforeYield === 0) await yieldToEventLoop()
    signal.throwIfAborted()
    onText(word)
  }
  return words.join('')
}

/** Never cuts between the two halves of a surrogate pair. */
function truncate(text: string, length: number): string {
  if (text.length <= length) return text
  const end = Math.max(0, Math.floor(length))
  return text.slice(0, /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end)
}

const english = {
  greeting: 'Hello!',
  remembered: 'I will remember that.',
  youTold: 'You told me:',
  welcome: 'You are welcome.',
  whatIAm:
    "I am Parley's built-in extractive model: I quote sentences that answer a question from connected knowledge and call tools that fit it, but I do not converse.",
  howToConnect:
    'For free conversation, connect a language model on the Models page or with POST /api/models and choose it for this agent.',
  noToolFits: "None of this agent's tools fits what you wrote.",
}

const german: typeof english = {
  greeting: 'Guten Tag!',
  remembered: 'Das merke ich mir.',
  youTold: 'Sie haben mir gesagt:',
  welcome: 'Gern geschehen.',
  whatIAm:
    'Ich bin das eingebaute extraktive Modell von Parley: Ich zitiere Sätze aus angebundenem Wissen, die eine Frage beantworten, und rufe passende Werkzeuge auf, führe aber keine freien Gespräche.',
  howToConnect:
    'Für freie Gespräche verbinden Sie ein Sprachmodell auf der Seite „Models“ oder mit POST /api/models und wählen es für diesen Agenten aus.',
  noToolFits: 'Keines der Werkzeuge dieses Agenten passt zu Ihrer Nachricht.',
}

const phrasesFor = (question: string) => (detectLanguage(question) === 'german' ? german : english)
