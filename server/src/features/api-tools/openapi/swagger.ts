import { follow, listIn, type Node, nodeIn, OperationProblem, textIn } from './references.ts'

/** Converts what all operations of a Swagger 2.0 document share. Definitions stay where they are: references keep their targets. */
export function fromSwagger(document: Node, documentUrl: string | null): Node {
  return {
    ...document,
    servers: [{ url: serverUrl(document, listIn(document, 'schemes'), documentUrl) }],
    components: { securitySchemes: securitySchemes(document) },
  }
}

/** Converts an operation to OpenAPI 3.0, with the parameters of its path. */
export function operationFromSwagger(document: Node, item: Node, operation: Node, documentUrl: string | null): Node {
  const all = new Map<string, Node>()
  for (const each of [...listIn(item, 'parameters'), ...listIn(operation, 'parameters')]) {
    const parameter = follow(document, each)
    all.set(`${String(parameter.in)} ${String(parameter.name)}`, parameter)
  }
  const parameters = [...all.values()]
  const consumes = Array.isArray(operation.consumes) ? operation.consumes : listIn(document, 'consumes')
  const types = consumes.filter((each): each is string => typeof each === 'string')
  const schemes = listIn(operation, 'schemes')
  return {
    ...operation,
    parameters: parameters
      .filter(({ in: location }) => location !== 'body' && location !== 'formData')
      .map(parameterFrom),
    requestBody: bodyFrom(parameters, types) ?? formFrom(parameters, types),
    ...(schemes.length > 0 && { servers: [{ url: serverUrl(document, schemes, documentUrl) }] }),
  }
}

function serverUrl(document: Node, schemes: unknown[], documentUrl: string | null): string {
  const host = textIn(document, 'host')
  const path = textIn(document, 'basePath') ?? '/'
  if (host === undefined) return path
  const usual = documentUrl?.startsWith('http:') ? 'http' : 'https'
  const scheme = schemes.includes('https') ? 'https' : schemes.includes('http') ? 'http' : usual
  return `${scheme}://${host}${path}`
}

function securitySchemes(document: Node): Node {
  const schemes = Object.entries(nodeIn(document, 'securityDefinitions')).map(([name, definition]) => {
    const scheme = follow(document, definition)
    if (scheme.type === 'basic') return [name, { type: 'http', scheme: 'basic' }]
    const isMachine = scheme.type === 'oauth2' && scheme.flow === 'application'
    return [name, isMachine ? { ...scheme, flows: { clientCredentials: { tokenUrl: scheme.tokenUrl } } } : scheme]
  })
  return Object.fromEntries(schemes)
}

const styles: Record<string, Node> = {
  csv: { style: 'form', explode: false },
  multi: { style: 'form', explode: true },
  ssv: { style: 'spaceDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
}

function parameterStyle(parameter: Node): Node {
  if (parameter.type !== 'array') return {}
  const format = textIn(parameter, 'collectionFormat') ?? 'csv'
  const style = Object.hasOwn(styles, format) ? styles[format] : undefined
  if (!style)
    throw new OperationProblem(
      `has the parameter "${parameter.name}" in the format "${format}", which is not supported`,
    )
  return style
}

/** The keywords of its schema are fields of the parameter itself. */
function parameterSchema({ name: _, in: __, required: ___, description: ____, ...schema }: Node): Node {
  return schema
}

function parameterFrom(parameter: Node): Node {
  const { name, in: location, required, description } = parameter
  const style = location === 'query' ? parameterStyle(parameter) : {}
  return { name, in: location, required, description, schema: parameterSchema(parameter), ...style }
}

function bodyFrom(parameters: Node[], types: string[]): Node | undefined {
  const body = parameters.find((each) => each.in === 'body')
  if (!body) return undefined
  const content = (types.length > 0 ? types : ['application/json']).map((type) => [type, { schema: body.schema }])
  return { required: body.required, content: Object.fromEntries(content) }
}

function formFrom(parameters: Node[], types: string[]): Node | undefined {
  const fields = parameters.filter((each) => each.in === 'formData' && textIn(each, 'name') !== undefined)
  if (fields.length === 0) return undefined
  const isMultipart =
    fields.some((field) => field.type === 'file') ||
    (types.length > 0 && types.every((type) => type === 'multipart/form-data'))
  const type = isMultipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  const properties = Object.fromEntries(
    fields.map((field) => [field.name, { ...parameterSchema(field), description: field.description }]),
  )
  const required = fields.filter((field) => field.required === true).map(({ name }) => name)
  const encoding = Object.fromEntries(fields.map((field) => [field.name, parameterStyle(field)]))
  return {
    required: required.length > 0,
    content: { [type]: { schema: { type: 'object', properties, required }, encoding } },
  }
}
