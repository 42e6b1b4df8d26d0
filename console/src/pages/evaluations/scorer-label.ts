import { scorerTypes } from './scorer-types.ts'

/** The label of a scorer in results. A second scorer of the same type has a number suffix. */
export function scorerLabel(scorer: string): string {
  const [, type = '', number] = /^([a-z_]+?)(?:_(\d+))?$/.exec(scorer) ?? []
  const kind = (scorerTypes as Record<string, { label: string } | undefined>)[type]
  return kind ? `${kind.label}${number ? ` ${number}` : ''}` : scorer
}
