import { scorerKinds } from './scorer-kinds.ts'

/** The name of a scorer in results, where a second one of the same kind has a number behind it. */
export function labelOf(scorer: string): string {
  const [, type = '', number] = /^([a-z_]+?)(?:_(\d+))?$/.exec(scorer) ?? []
  const kind = (scorerKinds as Record<string, { label: string } | undefined>)[type]
  return kind ? `${kind.label}${number ? ` ${number}` : ''}` : scorer
}
