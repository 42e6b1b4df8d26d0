import { type Mentions, mentionsIn } from './mentions.ts'
import { argumentsFor, isQueryLike, type Tool, toolParameters } from './tool-arguments.ts'
import { splitWords, termsIn } from './tool-words.ts'

export type { Tool } from './tool-arguments.ts'

export interface ChosenTool {
  name: string
  arguments: Record<string, unknown>
}

interface Candidate extends ChosenTool {
  fit: number
}

const inName = 2
const inDescription = 1
const inParameters = 0.5
const recognisedArgument = 1
/** One word of the name is enough, or two of the description, or one and a recognised argument. */
const minFit = 2
/** The share of the message's terms that a tool must match. */
const minShare = 0.25
/** A knowledge search fits any question, but less than a specific tool. */
const knowledgeFit = 1.5

/** The tool that fits a message best, with its arguments. Null if none fits or required arguments are missing. */
export function chooseTool(message: string, tools: readonly Tool[]): ChosenTool | null {
  const mentions = mentionsIn(message)
  const terms = termsIn(message)
  let best: Candidate | null = null
  for (const tool of tools) {
    const candidate = candidateFrom(tool, message, terms, mentions)
    if (candidate && (best === null || candidate.fit > best.fit)) best = candidate
  }
  return best && { name: best.name, arguments: best.arguments }
}

function candidateFrom(tool: Tool, message: string, terms: Set<string>, mentions: Mentions): Candidate | null {
  if (terms.size === 0 || (isQuestion(message) && changesThings(tool))) return null
  const filled = argumentsFor(tool, message, mentions)
  if (!filled) return null
  const { fit, share } = lexicalFit(tool, terms, filled.recognised)
  const candidate = { name: tool.name, arguments: filled.values }
  if (mentions.calculation !== null && filled.recognised.includes(mentions.calculation)) {
    return { ...candidate, fit: minFit }
  }
  const whole = fit + (filled.recognised.length > 0 ? recognisedArgument : 0)
  if (fit > 0 && whole >= minFit && share >= minShare) return { ...candidate, fit: whole }
  return searchesKnowledge(tool) ? { ...candidate, fit: knowledgeFit + fit / 10 } : null
}

/** Words of tool descriptions that say nothing about their purpose. */
const genericWords = termsIn(
  'get fetch list find show give return lookup look search query current new all data info information result value tool api service function system user request call provide retrieve',
)

function lexicalFit(tool: Tool, terms: Set<string>, recognised: unknown[]): { fit: number; share: number } {
  const name = termsIn(tool.name)
  const description = termsIn(tool.description)
  const parameters = termsIn(toolParameters(tool).map(textOfParameter).join(' '))
  const argumentTerms = termsIn(recognised.join(' '))
  let fit = 0
  let known = 0
  let unknown = 0
  for (const term of terms) {
    const weight = genericWords.has(term) ? 0 : termWeight(term, name, description, parameters)
    fit += weight
    if (weight > 0) known++
    // Arguments and numbers do not say which tool is meant.
    else if (!argumentTerms.has(term) && !genericWords.has(term) && !/^\d+$/.test(term)) unknown++
  }
  return { fit, share: known / Math.max(1, known + unknown) }
}

function termWeight(term: string, name: Set<string>, description: Set<string>, parameters: Set<string>): number {
  if (name.has(term)) return inName
  if (description.has(term)) return inDescription
  return parameters.has(term) ? inParameters : 0
}

const textOfParameter = ({ name, schema }: { name: string; schema: Record<string, unknown> }): string =>
  [name, schema.description, ...(Array.isArray(schema.enum) ? schema.enum : [])]
    .filter((each) => typeof each === 'string')
    .join(' ')

const knowledgeNouns =
  /\b(?:knowledge(?: ?base)?|documents?|documentation|docs|passages?|articles?|faqs?|manuals?|handbooks?|wiki|guides?|polic(?:y|ies)|files|sources?|notes|library|web|internet|wissen\p{L}*|dokument\p{L}*|handb(?:uch|ücher)\p{L}*|anleitung\p{L}*|artikel\p{L}*|quellen?|richtlinien?)\b/iu
const searchVerbs =
  /\b(?:search\p{L}*|find|finds|look(?:s|ing)? ?up|retriev\p{L}*|answers?|query|queries|ask|consult|suche\p{L}*|sucht|findet|beantwort\p{L}*|nachschlag\p{L}*|durchsuch\p{L}*)\b/iu
const otherQueries = /\b(?:sql|graphql|regex|jql|xpath|jmespath)\b/i

/** Whether a tool searches knowledge and takes a question unchanged. */
function searchesKnowledge(tool: Tool): boolean {
  const parameters = toolParameters(tool)
  if (!parameters.some(isQueryLike)) return false
  const toolText = [splitWords(tool.name).join(' '), tool.description, ...parameters.map(textOfParameter)].join(' ')
  return knowledgeNouns.test(toolText) && searchVerbs.test(toolText) && !otherQueries.test(toolText)
}

const changing =
  /^(?:delete|remove|cancel|create|add|update|change|edit|send|pay|buy|transfer|submit|reset|restart|approve|reject)s?$/

/** Without words such as "order" and "book", which may be nouns. */
const changesThings = ({ name, description }: Tool): boolean =>
  [name, description].some((text) => changing.test(splitWords(text)[0] ?? ''))

/** "How do I delete my account?" asks for an answer, not for a deletion. */
const isQuestion = (message: string): boolean =>
  /[?？؟]\s*$/.test(message) ||
  /^\s*(?:what|when|where|which|who|whom|whose|why|how|is|are|does|do|did|can i|was|wann|wo|welche\p{L}*|wer|warum|wieso|wie|ist|sind|kann ich)\b/iu.test(
    message,
  )
