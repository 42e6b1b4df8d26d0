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
const called = /(?:selectFrom|insertInto|updateTable|deleteFrom|alterTable|dropTable|\w+Join)\(\s*'(\w+)(?: as \w+)?'/g
/** SQL is written in lower case. `on` is that of triggers and indexes. TypeScript has nothing that looks like it. */
const written = /\b(?:from|join|update|into|on) (\w+)\b/g

const texts = new Map(files.map((file) => [file, withoutComments(readFileSync(join(source, file), 'utf8'))]))
const owners = new Map(
  [...texts].flatMap(([file, text]) =>
    [...text.matchAll(created)].map((found) => [found[1] ?? found[2] ?? found[3] ?? '', owner(file)]),
  ),
)

const namesIn = (text: string): string[] =>
  [...text.matchAll(called), ...text.matchAll(written)].map((found) => found[1] ?? '')

/** The tables of others that a text names. */
const foreign = (text: string, own: string): string[] =>
  namesIn(text).filter((table) => (owners.get(table) ?? own) !== own)

it('names a table only in the feature that creates it', () => {
  const found = [...texts].flatMap(([file, text]) => foreign(text, owner(file)).map((table) => `${file}: ${table}`))
  expect(found).toEqual([])
})

it('knows which feature creates a table, because its name is written where it is created', () => {
  const names = [...texts.values()].flatMap((text) => Array.from(text.matchAll(called), (found) => found[1] ?? ''))
  expect([...new Set(names)].filter((name) => !owners.has(name))).toEqual(['calls', 'kysely_migration']) // a common table expression and the migrator's table
})

it('finds tables in queries and in SQL', () => {
  expect(owners.get('message')).toBe('conversations')
  const text = [
    "db.selectFrom('message as m'); db.updateTable('token'); sql.raw('before delete on agent')",
    'sql`select 1 from usage_record u join review r where exists (select 1 from job)`',
  ].join()
  expect(foreign(text, 'models')).toEqual(['message', 'token', 'agent', 'usage_record', 'review', 'job'])
  expect(foreign(text, 'usage')).toEqual(['message', 'token', 'agent', 'review', 'job'])
})
