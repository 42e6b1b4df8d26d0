import { strFromU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { type Json, startService, until } from '../../../test/harness.ts'
import type { Feature } from '../../kernel/feature.ts'

interface Note {
  id: string
  workspace_id: string
  author: string
  words: string | null
  tags: string
  shared: string | null
  readers: string
}

declare module '../../kernel/store/database.ts' {
  interface Tables {
    scratch_note: Note
  }
}

const notes: Feature = {
  name: 'scratch',
  migrations: [
    {
      name: '2999-01-01-notes',
      up: (db) =>
        ['workspace_id', 'author', 'words', 'tags', 'shared', 'readers']
          .reduce(
            (table, column) => table.addColumn(column, 'text'),
            db.schema.createTable('scratch_note').addColumn('id', 'text'),
          )
          .execute(),
    },
  ],
  personalData: [
    {
      table: 'scratch_note',
      person: 'author',
      unless: 'shared',
      exported: { file: 'notes.jsonl', columns: ['id', 'words', 'tags'], json: ['tags'] },
      erased: { emptied: ['words'] },
      counted: 'notes',
    },
    { table: 'scratch_note', users: 'readers', counted: 'readers' },
  ],
}

it('exports and erases what a table declares, more rows than one batch', async () => {
  const service = await startService({ features: [notes] })
  const { get, post, ctx } = service
  const token = await service.tokenFor('editor', { user_id: 'eve' })
  const workspace_id = (await get('/me', { token })).body.data.workspace.id
  const readers = JSON.stringify({ groups: [], users: ['eve', 'bob'] })
  const note = (author: string, number: number, shared: string | null): Note => ({
    ...{ id: `${author}-${1000 + number}`, workspace_id, author, words: 'secret', tags: '["a"]', shared },
    readers: number === 0 ? readers : '{}',
  })
  const rows = Array.from({ length: 501 }, (_, number) => note('eve', number, null))
  for (const row of [...rows, note('eve', 600, 'all'), note('bob', 0, null)])
    await ctx.db.insertInto('scratch_note').values(row).execute()

  const user = (await get('/users?user_id=eve')).body.data[0].id
  const finished = async (kind: 'export' | 'erase'): Promise<Json> => {
    const { id } = (await post(`/users/${user}/${kind}`)).body.data
    return until(async () => {
      const { data } = (await get(`/user-jobs/${id}`)).body
      return data.status === 'completed' && data
    })
  }
  const { id } = await finished('export')
  const archive = await fetch(`${service.url}/api/user-jobs/${id}/content`, {
    headers: { authorization: `Bearer ${service.token}` },
  })
  const lines = strFromU8(unzipSync(new Uint8Array(await archive.arrayBuffer()))['notes.jsonl'] as Uint8Array)
  const exported = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(exported).toHaveLength(501)
  expect(exported[0]).toEqual({ id: 'eve-1000', words: 'secret', tags: ['a'] })

  const { subject, receipt } = await finished('erase')
  expect(receipt).toMatchObject({ notes: 501, readers: 2 })
  const left = await ctx.db.selectFrom('scratch_note').selectAll().orderBy('id').execute()
  const erased = left.filter(({ author }) => author === subject)
  expect([erased.length, new Set(erased.map(({ words }) => words))]).toEqual([501, new Set([null])])
  expect(left.filter(({ words }) => words !== null).map(({ id }) => id)).toEqual(['bob-1000', 'eve-1600'])
  expect(left.filter(({ readers }) => readers.includes('eve'))).toEqual([])
  expect(left[0]).toMatchObject({ author: 'bob', readers: JSON.stringify({ groups: [], users: ['bob'] }) })
})
