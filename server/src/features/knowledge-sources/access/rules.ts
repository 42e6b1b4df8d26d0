import { createHash } from 'node:crypto'
import type { Access } from '../../../kernel/access.ts'
import type { AccessRule } from '../schema.ts'
import type { DocumentRow } from '../store.ts'
import { matchesGlob } from './glob.ts'

/** The properties of a document that determine its access. */
export interface Judged {
  name: string
  metadata: Record<string, unknown>
  /** Set on the document itself. It comes before the rules of the source. */
  givenAccess: Access | null
  /** Whether its metadata is known. */
  isRead: boolean
}

/** Hides a document from everyone whom access restricts. */
export const nobody: Access = { groups: [], users: [] }

/** The access to a document: its own, or that of the first rule of its source that matches. */
export function accessFor(rules: readonly AccessRule[], document: Judged): Access | null {
  if (document.givenAccess !== null) return document.givenAccess
  // A rule over metadata may match once the document is read, so until then it is hidden.
  if (!document.isRead && rules.some(({ metadata }) => metadata !== undefined)) return nobody
  return ruleFor(rules, document)?.access ?? null
}

export const ruleFor = (
  rules: readonly AccessRule[],
  { name, metadata }: Pick<Judged, 'name' | 'metadata'>,
): AccessRule | undefined =>
  rules.find(
    (rule) =>
      (rule.path === undefined || matchesGlob(matchedPath(name), rule.path.replace(/^\//, ''))) &&
      Object.entries(rule.metadata ?? {}).every(([field, wanted]) => hasValue(metadata[field], [wanted].flat())),
  )

const hasValue = (value: unknown, wanted: readonly unknown[]): boolean =>
  [value].flat().some((each) => wanted.includes(each))

/** The path of a file or of a web page, without a slash before it. */
const matchedPath = (name: string): string =>
  (/^https?:\/\//.test(name) && URL.canParse(name) ? decoded(new URL(name).pathname) : name).replace(/^\//, '')

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The cells of a document that hold its access. Equal values have equal keys, and none has the key of everyone. */
export const accessCells = (access: Access | null) => ({
  access: JSON.stringify(access),
  access_key: computeAccessKey(access),
})

export const openKey = ''

export const computeAccessKey = (access: Access | null): string =>
  access === null ? openKey : createHash('sha256').update(JSON.stringify(access)).digest('hex').slice(0, 32)

/** A document's own access and its access by the rules of its source. */
export function accessIn(
  { access_rules }: { access_rules: readonly AccessRule[] },
  document: Pick<DocumentRow, 'name' | 'metadata' | 'given_access' | 'indexed_version'>,
): { access: Access | null; access_key: string } {
  const { name, metadata, given_access, indexed_version } = document
  const givenAccess = JSON.parse(given_access) as Access | null
  const access = accessFor(access_rules, { name, metadata, givenAccess, isRead: indexed_version !== null })
  return { access, access_key: computeAccessKey(access) }
}
