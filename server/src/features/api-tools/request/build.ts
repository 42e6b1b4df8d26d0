import type { Method, QueryTemplate } from '../schema.ts'
import {
  ArgumentError,
  type Arguments,
  argumentNamed,
  asText,
  fill,
  isMissing,
  namesIn,
  solePlaceholder,
  withoutPlaceholders,
} from './template.ts'

/** The parts of a tool that contain `{param}`. */
export interface Templates {
  method: Method
  url: string
  headers: Record<string, string>
  query: QueryTemplate
  body: unknown
}

/** A request without credentials. */
export interface Call {
  method: Method
  url: URL
  headers: Map<string, string>
  body: string | undefined
}

const maxUrlLength = 32_000
const maxRequestLength = 16 * 1024 * 1024
const bodyMethods: readonly Method[] = ['POST', 'PUT', 'PATCH']

/** Fills the templates, encoding each value for its place. Values are never expanded again. */
export function buildRequest(templates: Templates, args: Arguments): Call {
  const { method } = templates
  rejectTooLong(templates, args)
  const { origin, path, search } = splitUrl(templates.url)
  const headers = new Map<string, string>()
  for (const [name, template] of Object.entries(templates.headers)) {
    const value = fill(template, args, headerValue)
    if (value !== undefined) headers.set(name.toLowerCase(), value)
  }
  const query = [...queryPairs([...search, ...Object.entries(templates.query)], args)]
  const hasBody = bodyMethods.includes(method)
  const rest = templates.body === null ? unused(templates, args) : []
  if (!hasBody) for (const [name, value] of rest) query.push(...toPairs(name, value))
  const content =
    templates.body !== null
      ? filled(templates.body, args)
      : hasBody && rest.length > 0
        ? Object.fromEntries(rest)
        : undefined
  const url = new URL(`${origin}${fillPath(path, args)}`)
  url.search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  if (url.href.length > maxUrlLength) throw new ArgumentError('arguments', 'make a URL that is too long')
  return { method, url, headers, body: content === undefined ? undefined : written(content, headers) }
}

/** A template may name a large argument many times, so the length is counted before the request is built. */
function rejectTooLong(templates: Templates, args: Arguments): void {
  let length = 0
  const lengths = new Map(Object.entries(args).map(([name, value]) => [name, JSON.stringify(value)?.length ?? 0]))
  for (const name of placeholdersIn(templates)) length += lengths.get(name) ?? 0
  if (length > maxRequestLength) throw new ArgumentError('arguments', 'make a request that is too long')
}

/** The names of all arguments in the templates. */
export const usedNames = (templates: Templates): string[] => [...new Set(placeholdersIn(templates))]

function placeholdersIn({ url, headers, query, body }: Templates): string[] {
  const texts = [url, ...Object.values(headers), ...Object.values(query).flat(), ...textsIn(body)]
  return texts.flatMap((text) => (typeof text === 'string' ? namesIn(text) : []))
}

export const pathNames = (url: string): string[] => namesIn(splitUrl(url).path)

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each)
}

function unused(templates: Templates, args: Arguments): [string, unknown][] {
  const used = new Set(usedNames(templates))
  return Object.entries(args).filter(([name, value]) => !used.has(name) && value !== undefined)
}

/** Splits a URL template. Throws if it cannot be used. */
export function splitUrl(url: string): { origin: string; path: string; search: [string, string][] } {
  const match = /^(https?:\/\/[^/?#{}\s\\]+)((?:\/[^?#]*)?)(?:\?([^#]*))?$/i.exec(url)
  const [, origin = '', path = '', search = ''] = match ?? []
  if (!match || !URL.canParse(origin)) {
    throw new ArgumentError('url', 'must be an http or https URL, with {param} only in its path and query')
  }
  if (/[{}]/.test(withoutPlaceholders(path + search))) {
    throw new ArgumentError('url', 'contains a brace that is not part of a {param} (letters, digits, _, . and -)')
  }
  const pairs = search.split('&').flatMap((pair): [string, string][] => {
    if (pair === '') return []
    const [name, ...value] = pair.split('=')
    return [[decoded(name ?? ''), decoded(value.join('='))]]
  })
  if (pairs.some(([name]) => namesIn(name).length > 0)) {
    throw new ArgumentError('url', 'has a {param} as a query parameter name; only values can be parameters')
  }
  return { origin, path, search: pairs }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

/** A value cannot add, remove or leave a path segment. */
function fillPath(path: string, args: Arguments): string {
  return path
    .split('/')
    .map((segment) => {
      const [name] = namesIn(segment)
      if (name === undefined) return segment
      const text = fill(segment, args, (value, argument) => {
        if (value === '') throw new ArgumentError(argument, 'must not be empty, because it is part of the URL path')
        return encode(value)
      })
      if (text === undefined) throw new ArgumentError(name, 'is required, because it is part of the URL path')
      if (/^(\.|%2e){1,2}$/i.test(text))
        throw new ArgumentError(name, 'must not be . or .., because it is part of the URL path')
      return text
    })
    .join('/')
}

function headerValue(text: string, name: string): string {
  if (/[\r\n]/.test(text)) throw new ArgumentError(name, 'must not contain line breaks, because it is sent in a header')
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text))
    throw new ArgumentError(name, 'contains characters that a header cannot contain; use Latin-1')
  return text
}

type Pair = [name: string, value: string]

function* queryPairs(templates: [string, QueryTemplate[string]][], args: Arguments): Generator<Pair> {
  for (const [name, template] of templates) {
    for (const each of [template].flat()) {
      const sole = typeof each === 'string' ? solePlaceholder(each) : null
      if (sole === null) {
        const text = fill(String(each), args, (value) => value)
        if (text !== undefined) yield [name, text]
        continue
      }
      const value = argumentNamed(args, sole.name)
      if (isMissing(value)) continue
      if (sole.form === undefined) yield* toPairs(name, value)
      else yield [name, asText(sole.name, value, sole.form)]
    }
  }
}

const maxDepth = 10

/** Lists repeat the name: `a=1&a=2`. Fields of objects are in brackets: `a[b]=1`, and lists in them too: `a[b][]=1`, `a[0][b]=1`. */
function toPairs(name: string, value: unknown, depth = 0): Pair[] {
  if (isMissing(value)) return []
  if (typeof value !== 'object' || depth > maxDepth) return [[name, asText(name, value)]]
  if (Array.isArray(value)) {
    if (value.some((each) => typeof each === 'object' && each !== null)) {
      const stem = name.replace(/\[\]$/, '')
      return value.flatMap((each, index) => toPairs(`${stem}[${index}]`, each, depth + 1))
    }
    const itemName = depth > 0 && !name.endsWith('[]') ? `${name}[]` : name
    return value.flatMap((each) => toPairs(itemName, each, depth + 1))
  }
  return Object.entries(value).flatMap(([field, inner]) => toPairs(`${name}[${field}]`, inner, depth + 1))
}

const omitted = Symbol('omitted')

function filled(template: unknown, args: Arguments): unknown {
  const value = filledPart(template, args)
  return value === omitted ? undefined : value
}

/** A template that is a single placeholder becomes the value with its type. Missing values are omitted. */
function filledPart(template: unknown, args: Arguments): unknown {
  if (typeof template === 'string') {
    const sole = solePlaceholder(template)
    if (sole === null) return fill(template, args, (text) => text) ?? omitted
    const value = argumentNamed(args, sole.name)
    return value === undefined ? omitted : sole.form === undefined ? value : asText(sole.name, value, sole.form)
  }
  if (Array.isArray(template)) return template.map((each) => filledPart(each, args)).filter((each) => each !== omitted)
  if (typeof template !== 'object' || template === null) return template
  const fields = Object.entries(template).map(([name, each]) => [name, filledPart(each, args)] as const)
  return Object.fromEntries(fields.filter(([, value]) => value !== omitted))
}

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

/** JSON, unless `content-type` says otherwise: then a form, or plain text. */
function written(content: unknown, headers: Map<string, string>): string {
  const type = headers.get('content-type') ?? json
  headers.set('content-type', type)
  if (type.startsWith(form)) {
    const fields = typeof content === 'object' && content !== null ? Object.entries(content) : []
    return fields
      .flatMap(([name, value]) => toPairs(name, value))
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .join('&')
  }
  return typeof content === 'string' && !/json/i.test(type) ? content : JSON.stringify(content)
}
