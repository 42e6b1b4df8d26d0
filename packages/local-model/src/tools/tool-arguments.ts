import { toTerm } from '../rank/question.ts'
import type { Mentions } from './mentions.ts'
import { containsWords, splitWords, type TextTerms } from './tool-words.ts'

/** A tool as the model sees it. */
export interface Tool {
  name: string
  description: string
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>
}

type Schema = Record<string, unknown>

export interface FilledArguments {
  values: Record<string, unknown>
  /** Values that were recognised by their kind, such as a place or a date, unlike a query that is the whole message. */
  recognised: unknown[]
}

/** Parts of the message that already fill another parameter. */
interface Used {
  numbers: Set<number>
  choices: Set<unknown>
}

interface Parameter {
  name: string
  schema: Schema
  isRequired: boolean
}

/** The arguments for a tool that a message contains, or null if a required one is missing. */
export function argumentsFor(tool: Tool, message: string, mentions: Mentions): FilledArguments | null {
  const values: Record<string, unknown> = {}
  const used: Used = { numbers: new Set(), choices: new Set() }
  const recognised: unknown[] = []
  for (const parameter of toolParameters(tool)) {
    if (isQueryLike(parameter)) {
      values[parameter.name] = truncated(message, parameter.schema)
      continue
    }
    const value = valueFor(parameter, mentions, used)
    if (value !== undefined) {
      values[parameter.name] = value
      recognised.push(value)
    } else if (parameter.isRequired && parameter.schema.default === undefined) return null
    else if (parameter.isRequired) values[parameter.name] = parameter.schema.default
  }
  return { values, recognised }
}

export function toolParameters(tool: Tool): Parameter[] {
  const { properties, required } = tool.parameters
  const names = new Set(Array.isArray(required) ? required : [])
  if (typeof properties !== 'object' || properties === null) return []
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: typeof schema === 'object' && schema !== null ? (schema as Schema) : {},
    isRequired: names.has(name),
  }))
}

const queryNames =
  /^(?:q|query|question|search|searchquery|searchterms?|searchtext|text|prompt|input|message|keywords?|terms?|topic|phrase|userquery|userquestion|frage|anfrage|suche|suchbegriffe?|suchtext)$/

/** Whether a parameter can be filled with the whole message. */
export function isQueryLike({ name, schema }: Parameter): boolean {
  const isText = schema.type === undefined || schema.type === 'string'
  return isText && !schema.enum && !schema.format && queryNames.test(name.toLowerCase().replace(/[^a-z]/g, ''))
}

function truncated(message: string, { maxLength }: Schema): string {
  const text = message.trim()
  return typeof maxLength === 'number' ? text.slice(0, maxLength) : text
}

function valueFor(parameter: Parameter, mentions: Mentions, used: Used): unknown {
  const { schema } = parameter
  if (schema.const !== undefined) return parameter.isRequired ? schema.const : undefined
  if (Array.isArray(schema.enum)) return enumValue(schema.enum, mentions.terms, used.choices)
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type
  switch (type) {
    case 'integer':
    case 'number':
      return numberValue(parameter, mentions, used.numbers, type === 'integer')
    case 'boolean':
      return containsWords(splitWords(parameter.name), mentions.terms) ? true : undefined
    case 'array':
      return listValue(parameter, mentions)
    case 'string':
    case undefined:
      return textValue(parameter, mentions)
    default:
      return undefined
  }
}

/** The first value in the message, and the second for another parameter with the same values: "from USD to EUR". */
function enumValue(values: unknown[], message: TextTerms, used: Set<unknown>): unknown {
  const order = [...message.terms]
  const place = (value: unknown) => order.indexOf(toTerm(splitWords(String(value))[0] ?? '', message.language))
  const mentioned = values
    .filter((value) => containsWords(splitWords(String(value)), message))
    .sort((a, b) => place(a) - place(b))
  const chosen = mentioned.find((value) => !used.has(value)) ?? mentioned[0]
  used.add(chosen)
  return chosen
}

function numberValue(parameter: Parameter, { numbers }: Mentions, used: Set<number>, isWhole: boolean) {
  const { minimum, maximum, description } = parameter.schema
  const names = [...splitWords(parameter.name), ...splitWords(typeof description === 'string' ? description : '')]
  const fitting = numbers
    .map((number, place) => ({ ...number, place }))
    .filter(({ value, place }) => !used.has(place) && (!isWhole || Number.isInteger(value)))
    .filter(({ value }) => !(typeof minimum === 'number' && value < minimum))
    .filter(({ value }) => !(typeof maximum === 'number' && value > maximum))
  const named = fitting.find(({ context }) => names.some((name) => containsWords([name], context)))
  // For an optional parameter, any number could mean something else: a year is not a limit.
  const chosen = named ?? (parameter.isRequired ? fitting[0] : undefined)
  if (chosen) used.add(chosen.place)
  return chosen?.value
}

function listValue(parameter: Parameter, mentions: Mentions): unknown[] | undefined {
  const items = typeof parameter.schema.items === 'object' ? (parameter.schema.items as Schema) : {}
  if (Array.isArray(items.enum)) {
    const found = items.enum.filter((value) => containsWords(splitWords(String(value)), mentions.terms))
    return found.length > 0 ? found : undefined
  }
  if (items.type !== undefined && items.type !== 'string') return undefined
  const value = textValue({ ...parameter, schema: { ...items, description: parameter.schema.description } }, mentions)
  return value === undefined ? undefined : [value]
}

const kinds: [RegExp, (mentions: Mentions) => string | null | undefined][] = [
  [/^(?:e ?mail|mail|email address)\b|\be ?mail( address)?$/, ({ emails }) => emails[0]],
  [/\b(?:url|uri|link|website|web page|href)\b/, ({ urls }) => urls[0]],
  [/\b(?:date|day|datum|tag)\b/, ({ dates }) => dates[0]],
  [/^(?:from|origin|departure|source|start|von|abfahrt)\b/, ({ from }) => from],
  [/^(?:to|destination|arrival|target|nach|ziel)\b/, ({ to, places }) => to ?? places[0]],
  [
    /\b(?:city|town|place|location|country|region|state|address|destination|area|stadt|ort|land|wohnort)\b/,
    ({ places, names }) => places[0] ?? names[0],
  ],
  [
    /\b(?:id|code|number|no|sku|reference|order|ticket|invoice|nummer|kennung|bestellung|rechnung)\b/,
    ({ codes, numbers }) => codes[0] ?? (numbers[0] && String(numbers[0].value)),
  ],
  [/\b(?:expression|formula|calculation|equation|ausdruck|rechnung|formel)\b/, ({ calculation }) => calculation],
  [
    /\b(?:name|person|customer|user|company|product|title|author|subject|kunde|firma|produkt|titel)\b/,
    ({ quoted, names }) => quoted[0] ?? names[0],
  ],
]

const formats = new Map<string, (mentions: Mentions) => string | undefined>(
  Object.entries({
    email: ({ emails }) => emails[0],
    uri: ({ urls }) => urls[0],
    url: ({ urls }) => urls[0],
    date: ({ dates }) => dates[0],
  }),
)

function textValue({ name, schema, isRequired }: Parameter, mentions: Mentions): string | undefined {
  const format = typeof schema.format === 'string' ? formats.get(schema.format) : undefined
  if (format) return format(mentions)
  const byName = mentionReader(splitWords(name).join(' '))
  if (byName) return byName(mentions) ?? undefined
  const byDescription = mentionReader(typeof schema.description === 'string' ? schema.description.toLowerCase() : '')
  return byDescription?.(mentions) ?? (isRequired ? mentions.quoted[0] : undefined)
}

const mentionReader = (words: string) => kinds.find(([pattern]) => pattern.test(words))?.[1]
