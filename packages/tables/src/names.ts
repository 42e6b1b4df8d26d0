/** Words of SQLite that cannot be a name without quotes. */
const reserved = new Set(
  `add all alter and as autoincrement between case check collate commit constraint create cross current_date current_time
  current_timestamp default deferrable delete distinct drop else escape except exists foreign from full group having if in index
  inner insert intersect into is isnull join left limit natural not nothing notnull null on or order outer primary references
  returning right rowid oid select set table then to transaction union unique update using values view when where with`.split(
    /\s+/,
  ),
)

const maxLength = 50

/** A name for SQL that needs no quotes. Letters of any script may be in it. */
export function sqlName(text: string, otherwise: string): string {
  const name = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('%', ' percent ')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .slice(0, maxLength)
    .replace(/^_+|_+$/g, '')
  if (name === '') return otherwise
  if (/^\p{N}/u.test(name)) return `${otherwise.replace(/_\d+$/, '')}_${name}`
  return reserved.has(name) ? `${name}_` : name
}

/** Adds a number to a name that is taken. */
export function distinctName(name: string, taken: Set<string>): string {
  let distinct = name
  for (let count = 2; taken.has(distinct); count++) distinct = `${name}_${count}`
  taken.add(distinct)
  return distinct
}
