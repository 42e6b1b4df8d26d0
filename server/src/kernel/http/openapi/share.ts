import type { Components, Json } from './schemas.ts'

export interface Operation extends Json {
  operationId: string
  parameters: Json[]
  responses: Record<string, Json>
}

/** A part of an operation that may become a component under one of these names. */
interface Part {
  value: Json
  names: string[]
  replace(reference: Json): void
}

/** Moves the headers of responses to `components`, and the responses and query parameters that several operations have. */
export function shareParts(operations: Operation[], components: Components): void {
  moveTo(components, 'headers', operations.flatMap(headerParts), { minUses: 1 })
  moveTo(components, 'responses', operations.flatMap(responseParts), { minUses: 2 })
  moveTo(components, 'parameters', operations.flatMap(queryParts), { minUses: 2 })
}

function moveTo(components: Components, kind: keyof Components, parts: Part[], { minUses }: { minUses: number }): void {
  const shared = components[kind]
  for (const [text, uses] of Map.groupBy(parts, ({ value }) => JSON.stringify(value))) {
    const [first] = uses
    if (!first || uses.length < minUses) continue
    const isFree = (name: string) => !shared.has(name) || JSON.stringify(shared.get(name)) === text
    const name = first.names.find(isFree) ?? ''
    shared.set(name, first.value)
    for (const { replace } of uses) replace({ $ref: `#/components/${kind}/${name}` })
  }
}

const headerParts = ({ operationId, responses }: Operation): Part[] =>
  Object.values(responses).flatMap(({ headers = {} }) =>
    listParts(headers as Record<string, Json>, (name) => [name, `${name}-${operationId}`]),
  )

const responseParts = ({ operationId, responses }: Operation): Part[] =>
  listParts(responses, (status, { content }) => {
    if (status === '304') return ['not_modified']
    const [, title] = /"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(content) ?? '') ?? []
    return [...(title === undefined ? [] : [title]), operationId, `${operationId}_${status}`]
  })

/** The entries of an object that are no references yet. */
const listParts = (object: Record<string, Json>, names: (key: string, value: Json) => string[]): Part[] =>
  Object.entries(object)
    .filter(([, value]) => !('$ref' in value))
    .map(([key, value]) => ({
      value,
      names: names(key, value),
      replace: (reference) => {
        object[key] = reference
      },
    }))

const queryParts = ({ operationId, parameters }: Operation): Part[] =>
  parameters.flatMap((value, index) =>
    value.in === 'query'
      ? {
          value,
          names: [String(value.name), `${value.name}-${operationId}`],
          replace: (reference: Json) => {
            parameters[index] = reference
          },
        }
      : [],
  )
