import { type Canonical, canonical, withFileNames, withNames } from './canonical.ts'
import { type Fields, type Kind, kinds } from './kinds.ts'
import { newest } from './labels.ts'
import { createDirectory, readIdentity } from './names.ts'
import { createPlan, refuseSameNames } from './plan.ts'
import { type ApiDescription, formatVersion } from './schema.ts'
import { listSecrets, variableNames, withValue } from './secrets.ts'
import type { State } from './state.ts'
import { toYaml } from './yaml.ts'

export interface Exported {
  text: string
  /** Variables to set before the file is applied, with their purpose. */
  variables: { name: string; purpose: string }[]
}

/** Writes the resources of a service as a file. The same resources give the same bytes. */
export function exportState(state: State, description: ApiDescription): Exported {
  refuseSameNames(state)
  const directory = createDirectory(state.named)
  const { comparing } = createPlan({
    file: {},
    description,
    state,
    environment: {},
    updateSecrets: false,
    prune: false,
  })
  const nameVariable = variableNames()
  const variables: Exported['variables'] = []

  const toDocument = (kind: Kind, row: Fields): Fields => {
    const fields: Canonical = canonical(withFileNames(kind, row), comparing(kind, false))
    if (kind.section === 'labels' && row.is_newest) fields.version = newest
    if (kind.section === 'prompt_templates') delete fields.variables // derived from the template
    if (kind.section === 'models' && fields.type !== 'chat') delete fields.input_modalities
    let result = withNames(kind, fields, (key, sections) => directory.shortName(key, sections), 'to-file')
    for (const { path } of listSecrets(kind, row)) {
      const name = nameVariable(kind, readIdentity(kind, row), path)
      variables.push({ name, purpose: `${path.join('.')} of the ${kind.noun} "${readIdentity(kind, row)}"` })
      result = withValue(result, path, `\${env:${name}}`)
      if ('auth' in result) result.auth = additionalLast(result.auth as Fields)
    }
    return inShapeOrder(result, Object.keys(comparing(kind, false).shape))
  }

  const sections = kinds.flatMap((kind) => {
    const rows = (state.rows.get(kind.section) ?? []).filter((row) => row.provider !== 'local')
    const sorted = rows.toSorted((one, other) => (readIdentity(kind, one) < readIdentity(kind, other) ? -1 : 1))
    return sorted.length === 0 ? [] : [[kind.section, sorted.map((row) => toDocument(kind, row))] as const]
  })
  return { text: documentText(sections, buildHeader(variables)), variables }
}

const additionalLast = ({ additional, ...fields }: Fields): Fields =>
  additional === undefined ? fields : { ...fields, additional }

const inShapeOrder = (fields: Fields, order: readonly string[]): Fields =>
  Object.fromEntries(order.filter((name) => name in fields).map((name) => [name, fields[name]]))

export const buildHeader = (variables: Exported['variables']): string[] => [
  'A workspace of Parley. Compare it with a service: parley diff FILE',
  ...(variables.length > 0 ? ['', 'Set these variables before it is applied:'] : []),
  ...variables.map(({ name, purpose }) => `  ${name}: ${purpose}`),
]

/** A file with a comment at its start and an empty line between resources. */
export function documentText(sections: readonly (readonly [string, Fields[]])[], header: readonly string[]): string {
  const comment = header.map((line) => `# ${line.replace(/[\r\n\u2028\u2029\u0085]+/g, ' ')}`.trimEnd()).join('\n')
  const parts = sections.map(([section, resources]) => {
    const items = resources.map((fields) => indented(toYaml([fields])))
    return `${section}:\n${items.join('\n')}`
  })
  return [`${comment}\n`, `parley: ${formatVersion}\n`, ...parts].join('\n')
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n')
