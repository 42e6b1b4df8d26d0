import type { ToolSpec } from '../../../../server/src/kernel/llm/model.ts'
import { termOf } from '../rank/question.ts'
import type { Mentions } from './mentions.ts'
import { isSaid, type Said, wordsOf } from './tool-words.ts'

type Schema = Record<string, unknown>

export interface FilledArguments {
  values: Record<string, unknown>
  /** Those that were found by their kind, such as a place or a date, and not just given the whole message. */
  recognised: unknown[]
}

/** What one part of the message has been taken for is not taken again for the next parameter. */
interface Taken {
  numbers: Set<number>
  choices: Set<unknown>
}

interface Parameter {
  name: string
  schema: Schema
  isRequired: boolean
}

/** The arguments that a message gives for a tool, or null where it does not give one that the tool must have. */
export function argumentsFor(tool: ToolSpec, message: string, mentions: Mentions): FilledArguments | null {
  const values: Record<string, unknown> = {}
  const taken: Taken = { numbers: new Set(), choices: new Set() }
  const recognised: unknown[] = []
  for (const parameter of parametersOf(tool)) {
    if (isQueryLike(parameter)) {
      values[parameter.name] = fitted(message, parameter.schema)
      continue
    }
    const value = valueFor(parameter, mentions, taken)
    if (value !== undefined) {
      values[parameter.name] = value
      recognised.push(value)
    } else if (parameter.isRequired && parameter.schema.default === undefined) return null
    else if (parameter.isRequired) values[parameter.name] = parameter.schema.default
  }
  return { values, recognised }
}

export function parametersOf(tool: ToolSpec): Parameter[] {
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

/** A text that the whole message can stand for. */
export function isQueryLike({ name, schema }: Parameter): boolean {
  const isText = schema.type === undefined || schema.type === 'string'
  return isText && !schema.enum && !schema.format && queryNames.test(name.toLowerCase().replace(/[^a-z]/g, ''))
}

function fitted(message: string, { maxLength }: Schema): string {
  const text = message.trim()
  return typeof maxLength === 'number' ? text.slice(0, maxLength) : text
}

function valueFor(parameter: Parameter, mentions: Mentions, taken: Taken): unknown {
  const { schema } = parameter
  if (schema.const !== undefined) return parameter.isRequired ? schema.const : undefined
  if (Array.isArray(schema.enum)) return enumValue(schema.enum, mentions.said, taken.choices)
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type
  switch (type) {
    case 'integer':
    case 'number':
      return numberValue(parameter, mentions, taken.numbers, type === 'integer')
    case 'boolean':
      return isSaid(wordsOf(parameter.name), mentions.said) ? true : undefined
    case 'array':
      return listValue(parameter, mentions)
    case 'string':
    case undefined:
      return textValue(parameter, mentions)
    default:
      return undefined
  }
}

/** The first that is said, and the second for another parameter with the same choices: "from USD to EUR". */
function enumValue(values: unknown[], said: Said, taken: Set<unknown>): unknown {
  const order = [...said.terms]
  const place = (value: unknown) => order.indexOf(termOf(wordsOf(String(value))[0] ?? '', said.language))
  const mentioned = values.filter((value) => isSaid(wordsOf(String(value)), said)).sort((a, b) => place(a) - place(b))
  const chosen = mentioned.find((value) => !taken.has(value)) ?? mentioned[0]
  taken.add(chosen)
  return chosen
}

function numberValue(parameter: Parameter, { numbers }: Mentions, used: Set<number>, isWhole: boolean) {
  const { minimum, maximum, description } = parameter.schema
  const names = [...wordsOf(parameter.name), ...wordsOf(typeof description === 'string' ? description : '')]
  const fitting = numbers
    .map((number, place) => ({ ...number, place }))
    .filter(({ value, place }) => !used.has(place) && (!isWhole || Number.isInteger(value)))
    .filter(({ value }) => !(typeof minimum === 'number' && value < minimum))
    .filter(({ value }) => !(typeof maximum === 'number' && value > maximum))
  const named = fitting.find(({ around }) => names.some((name) => isSaid([name], around)))
  // A number that the tool can do without may be anything: a year is no limit.
  const chosen = named ?? (parameter.isRequired ? fitting[0] : undefined)
  if (chosen) used.add(chosen.place)
  return chosen?.value
}

function listValue(parameter: Parameter, mentions: Mentions): unknown[] | undefined {
  const items = typeof parameter.schema.items === 'object' ? (parameter.schema.items as Schema) : {}
  if (Array.isArray(items.enum)) {
    const found = items.enum.filter((value) => isSaid(wordsOf(String(value)), mentions.said))
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

const formats: Record<string, (mentions: Mentions) => string | undefined> = {
  email: ({ emails }) => emails[0],
  uri: ({ urls }) => urls[0],
  url: ({ urls }) => urls[0],
  date: ({ dates }) => dates[0],
}

function textValue({ name, schema, isRequired }: Parameter, mentions: Mentions): string | undefined {
  const format = typeof schema.format === 'string' ? formats[schema.format] : undefined
  if (format) return format(mentions)
  const byName = kindOf(wordsOf(name).join(' '))
  if (byName) return byName(mentions) ?? undefined
  const byDescription = kindOf(typeof schema.description === 'string' ? schema.description.toLowerCase() : '')
  return byDescription?.(mentions) ?? (isRequired ? mentions.quoted[0] : undefined)
}

const kindOf = (words: string) => kinds.find(([pattern]) => pattern.test(words))?.[1]
