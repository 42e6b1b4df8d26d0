import type { Fields } from '../config/kinds.ts'
import type { Notes } from './dify-parts.ts'
import { add, type Imported, isObject, listIn, objectIn, textIn, toolName, withoutEmpty } from './imported.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const secretHeader = /^(authorization|proxy-authorization|cookie|x-api-key|api-key|x-auth-token|.*(token|secret).*)$/i
const refusedHeader = /^(host|content-length|connection|transfer-encoding|content-type)$/i

/** A request of a graph becomes an API tool. Returns its name, or nothing if it cannot be one. */
export function importHttpNode(result: Imported, title: string, data: Fields, note: Notes): string {
  const used = new Set<string>()
  const template = (text: string): string =>
    text
      .replace(/\{([\w:-]+)\}(?!\})/g, '($1)') // would be a placeholder here
      .replace(selector, (_, name: string) => {
        const parameter = toolName(name.split('.').at(-1) ?? '', 'value')
        used.add(parameter)
        return `{${parameter}}`
      })
  const url = template(textIn(data, 'url').trim())
  if (!/^https?:\/\/[^/{}\s]+(\/|$|\?)/.test(url)) {
    note(`the request "${title}": its address is not known before it runs.`)
    return ''
  }
  const name = toolName(title, 'http_request')
  const method = textIn(data, 'method').toUpperCase()
  const { headers, secrets } = headersOf(pairs(textIn(data, 'headers')), template)
  const query = Object.fromEntries(pairs(textIn(data, 'params')).map(([key, value]) => [key, template(value)]))
  const { body, type, isSupported } = bodyOf(objectIn(data, 'body'), template)
  if (!isSupported) note(`the body of the request "${title}" (${type}).`)
  const auth = authOf(objectIn(data, 'authorization'), secrets, name, (text) => note(`the request "${title}": ${text}`))
  const properties = Object.fromEntries([...used].map((parameter) => [parameter, { type: 'string' }]))
  return add(
    result,
    'api_tools',
    withoutEmpty({
      name,
      description: (textIn(data, 'desc') || title).slice(0, 10_000),
      method: methods.includes(method) && method !== 'GET' ? method : null,
      url: url.slice(0, 4000),
      parameters: used.size > 0 ? { type: 'object', properties, required: pathParameters(url) } : null,
      headers: {
        ...headers,
        ...(type === 'x-www-form-urlencoded' && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      query,
      body,
      auth,
      // Requests that write need approval, the same as in imported OpenAPI documents.
      requires_approval: ['GET', 'HEAD', 'OPTIONS', ''].includes(method) ? null : true,
    }),
    '_',
  )
}

/** A value of another node. */
const selector = /\{\{#([^#{}]+)#\}\}/g

const pathParameters = (url: string): string[] => [
  ...new Set([...url.matchAll(/\{([\w-]+)\}/g)].map(([, name]) => name as string)),
]

/** Lines of `name:value`. */
const pairs = (text: string): [string, string][] =>
  text
    .split('\n')
    .map((line): [string, string] => [line.split(':', 1)[0]?.trim() ?? '', line.slice(line.indexOf(':') + 1).trim()])
    .filter(([name], index, all) => /^[\w.[\]-]+$/.test(name) && all.findIndex(([other]) => other === name) === index)

function headersOf(given: [string, string][], template: (text: string) => string) {
  const secrets = given.filter(([name]) => secretHeader.test(name)).map(([name]) => name)
  const kept = given.filter(([name]) => !secretHeader.test(name) && !refusedHeader.test(name))
  return { headers: Object.fromEntries(kept.map(([name, value]) => [name, template(value)])), secrets }
}

/** Keys in the file are not copied: they become variables. */
function authOf(authorization: Fields, secretHeaders: string[], tool: string, note: Notes): Fields | null {
  const variable = (what: string): string =>
    `\${env:PARLEY_TOOL_${tool.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase()}_${what}}`
  const config = objectIn(authorization, 'config')
  const type = textIn(config, 'type')
  if (textIn(authorization, 'type') === 'api-key') {
    if (secretHeaders.length > 0) note(`the headers ${secretHeaders.join(', ')}.`)
    if (type === 'basic') {
      note('its user name and password: set "username" and the variable.')
      return { type: 'basic', username: 'change-me', password: variable('PASSWORD') }
    }
    if (type === 'custom')
      return { type: 'api_key', name: textIn(config, 'header') || 'Authorization', value: variable('VALUE') }
    return { type: 'bearer', token: variable('TOKEN') }
  }
  const [first, ...others] = secretHeaders
  if (first === undefined) return null
  if (others.length > 0) note(`the headers ${others.join(', ')}.`)
  return { type: 'api_key', name: first, value: variable('VALUE') }
}

function bodyOf(
  body: Fields,
  template: (text: string) => string,
): { body: unknown; type: string; isSupported: boolean } {
  const type = textIn(body, 'type')
  const rows = listIn(body, 'data').filter(isObject)
  if (type === '' || type === 'none') return { body: null, type, isSupported: true }
  if (type === 'json' || type === 'raw-text') {
    const text = textIn(body, 'data') || rows.map((row) => textIn(row, 'value')).join('')
    return { body: jsonBody(text, template), type, isSupported: true }
  }
  if (type === 'x-www-form-urlencoded') {
    const fields =
      rows.length > 0
        ? rows.map((row): [string, string] => [textIn(row, 'key'), textIn(row, 'value')])
        : pairs(textIn(body, 'data'))
    const named = fields.filter(([key]) => key !== '')
    return { body: Object.fromEntries(named.map(([key, value]) => [key, template(value)])), type, isSupported: true }
  }
  return { body: null, type, isSupported: false }
}

/** Parses a body as JSON after quoting its bare variables. A body that is not JSON stays text. */
function jsonBody(text: string, template: (text: string) => string): unknown {
  const quoted = text.replace(/("(?:[^"\\\n]|\\.)*")|(\{\{#[^#{}]+#\}\})/g, (whole, string, name) =>
    string ? whole : name ? `"${name}"` : whole,
  )
  try {
    const value: unknown = JSON.parse(quoted)
    if (typeof value === 'object') return mapTexts(value, template)
  } catch {}
  return template(text) || null
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change))
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, change)]))
    : value
}
