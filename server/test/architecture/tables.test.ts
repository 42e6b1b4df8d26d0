import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const source = fileURLToPath(new URL('../../src/', import.meta.url))
// Backups, copies and checks work on all tables by their nature.
const files = globSync(['kernel/**/*.ts', 'features/**/*.ts'], { cwd: source }).filter(
  (file) => !/\.test\.ts$/.test(file),
)

const owner = (file: string): string => /^features\/([^/]+)/.exec(file)?.[1] ?? 'kernel'
const withoutComments = (text: string): string => text.replace(/\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*/gs, '')
const created =
  /createTable\(\s*'(\w+)'|createRollupTable\(db, \{\s*table: '(\w+)'|create (?:virtual |unlogged )?table (?:if not exists )?(\w+)/g
const called = /(?:selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin)\(\s*'(\w+)(?: as \w+)?'/g
/** SQL is written in quotes, in lower case. */
const written = /['`][^'`]*?\b(?:from|join|update|into) (\w+)\b/g

const texts = new Map(files.map((file) => [file, withoutComments(readFileSync(join(source, file), 'utf8'))]))
const owners = new Map(
  [...texts].flatMap(([file, text]) =>
    [...text.matchAll(created)].map((found) => [found[1] ?? found[2] ?? found[3] ?? '', owner(file)]),
  ),
)

/** The tables of others that a text names. */
const foreign = (text: string, own: string): string[] => {
  const named = [...text.matchAll(called), ...text.matchAll(written)].map((found) => found[1] ?? '')
  return named.filter((table) => (owners.get(table) ?? own) !== own)
}

it('names a table only in the feature that creates it', () => {
  const found: Record<string, Set<string>> = {}
  for (const [file, text] of texts)
    for (const table of foreign(text, owner(file))) {
      found[owner(file)] ??= new Set()
      found[owner(file)]?.add(table)
    }
  expect(Object.fromEntries(Object.entries(found).map(([own, tables]) => [own, [...tables].sort()]))).toEqual({})
})

it('finds tables in queries and in SQL', () => {
  expect(owners.get('message')).toBe('conversations')
  const text = "db.selectFrom('message as m'); db.updateTable('token'); sql`select 1 from usage_record u`"
  expect(foreign(text, 'agents')).toEqual(['message', 'token', 'usage_record'])
  expect(foreign(text, 'usage')).toEqual(['message', 'token'])
})
