import { expect, it } from 'vitest'
import { LastConversation } from './last-conversation.ts'
import type { ConversationRow } from './service.ts'

const row = (id: string, title: string) => ({ id, workspace_id: 'wsp', title }) as ConversationRow

function open(isKnown = true) {
  let writes = 0
  let reads = 0
  const last = new LastConversation({ writes: () => (isKnown ? writes : null) })
  const get = async (id = 'a', workspace = 'wsp') => {
    const before = reads
    const found = await last.get(workspace, id, async () => {
      reads++
      return row(id, 'read')
    })
    return { row: found, wasRead: reads > before }
  }
  return {
    last,
    get,
    write: (statements: number) => {
      writes += statements
    },
  }
}

it('is known after a turn that was all that was written', async () => {
  const { last, get, write } = open()
  const first = await get()
  expect(first.wasRead).toBe(true)
  write(5)
  last.change(first.row, { title: 'changed' }, 5)
  const next = await get()
  expect([next.wasRead, next.row.title]).toEqual([false, 'changed'])
  expect((await get('a', 'other')).wasRead).toBe(true)
  expect((await get('b')).wasRead).toBe(true)
})

it('is read again when anything else was written, before the turn ended or after', async () => {
  const { last, get, write } = open()
  const first = await get()
  write(6)
  last.change(first.row, { title: 'changed' }, 5)
  const second = await get()
  expect(second.wasRead).toBe(true)
  write(5)
  last.change(second.row, { title: 'changed' }, 5)
  write(1)
  expect((await get()).wasRead).toBe(true)
})

it('is always read where others write too', async () => {
  const { last, get } = open(false)
  const first = await get()
  last.change(first.row, {}, 5)
  expect((await get()).wasRead).toBe(true)
})
