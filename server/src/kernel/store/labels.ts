/**
 * Labels name versions of a resource. They are kept in a column of its row, so that they are read with it and count as a
 * change of the configuration for every node.
 */
export interface StoredLabel {
  version: number
  /** The version that the label named before, for one step back. */
  previous_version: number | null
  gate: { evaluation_id: string } | null
  updated_at: string
  /** The references of the labelled version, which must exist as long as the label does. */
  uses: { field: string; target: string }[]
}

/** The version with this label answers wherever none is named. */
export const production = 'production'

interface Labelled {
  version: number
  labels?: string
}

const noLabels = '{}'

export const readLabels = ({ labels = noLabels }: Pick<Labelled, 'labels'>): Map<string, StoredLabel> =>
  new Map(labels === noLabels ? [] : Object.entries(JSON.parse(labels) as Record<string, StoredLabel>))

export const writeLabels = (labels: Map<string, StoredLabel>): string => JSON.stringify(Object.fromEntries(labels))

/** The version that answers where none is named: the one labelled `production`, else the newest. */
export const defaultVersion = (row: Labelled): { version: number; label: string | null } => {
  const labelled = readLabels(row).get(production)
  return labelled ? { version: labelled.version, label: production } : { version: row.version, label: null }
}

/** References of labelled versions and of gates. */
export const labelReferences = (row: Pick<Labelled, 'labels'>): { field: string; target: string }[] =>
  [...readLabels(row)].flatMap(([name, { gate, uses }]) => [
    ...uses.map(({ field, target }) => ({ field: `labels.${name}.${field}`, target })),
    ...(gate ? [{ field: `labels.${name}.gate.evaluation_id`, target: gate.evaluation_id }] : []),
  ])
