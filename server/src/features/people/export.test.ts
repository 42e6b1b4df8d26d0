import { createHash } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import { expect, it, vi } from 'vitest'
import { createFile } from '../../../test/attachments.ts'
import { findPlaces, readDump } from '../../../test/dump.ts'
import { finished, userNamed } from '../../../test/people.ts'
import { stage } from '../../../test/stage.ts'
import { day, minute } from '../../kernel/time.ts'
import { removeExpiredExports } from './export.ts'

vi.setConfig({ testTimeout: 300_000 })

it('exports everything of a person into an archive that expires', async () => {
  let time = Date.now()
  const here = await stage({ deltas: ['An ', 'answer'] }, { now: () => time })
  const { get, post, url } = here
  const token = await here.tokenFor('editor', { user_id: 'ada' })
  const file = await createFile({ url, token }, 'a note.txt', 'Text of the file')
  const conversation = (await post('/conversations', { agent_id: here.agent, user_id: 'ada' }, { token })).body.data.id
  const sent = await here.say(conversation, 'First', { attachments: [{ file_id: file }] }, { token })
  await post(`/conversations/${conversation}/messages/${sent.body.data.id}/regenerate`, {}, { token })
  await here.put(`/conversations/${conversation}`, { title: 'Mine' }, { token })
  await post('/conversations', { agent_id: here.agent, user_id: 'bob' })

  const memory = (await post('/memories', { content: 'Lives in Oslo', user_id: 'ada' })).body.data.id
  const [created_at, replaced_at] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']
  const before = { content: 'Lives in Bern', source: 'null', message_id: null, created_at, replaced_at }
  const workspace_id = (await get('/me')).body.data.workspace.id
  await here.ctx.db
    .insertInto('memory_version')
    .values({ ...before, memory_id: memory, revision: 0, workspace_id })
    .execute()

  const user = await userNamed(here, 'ada')
  const started = await post(`/users/${user.id}/export`)
  expect([started.status, started.body.data.kind]).toEqual([200, 'export'])
  const job = await finished(here, started.body.data.id)
  expect(job).toMatchObject({ status: 'completed', person_id: user.id, error: null })
  expect(JSON.stringify(job)).not.toContain('"ada"') // a hash may contain the letters

  const content = () =>
    fetch(`${url}/api/user-jobs/${job.id}/content`, { headers: { authorization: `Bearer ${here.token}` } })
  const bytes = new Uint8Array(await (await content()).arrayBuffer())
  expect(bytes.byteLength).toBe(job.file.size)
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(job.file.sha256)
  const unzipped = Object.entries(unzipSync(bytes))
  const texts = Object.fromEntries(unzipped.map(([name, content]) => [name, strFromU8(content)]))
  expect(Object.keys(texts).sort()).toEqual(
    [
      'approvals.jsonl',
      'audit.jsonl',
      'connections.jsonl',
      'conversations.jsonl',
      `files/${file}/a note.txt`,
      'files.jsonl',
      'memories.jsonl',
      'memory-versions.jsonl',
      'messages.jsonl',
      'pending-input.jsonl',
      'person.json',
      'invitations.jsonl',
      'reviews.jsonl',
      'tokens.jsonl',
      'usage.json',
    ].sort(),
  )
  expect(texts[`files/${file}/a note.txt`]).toBe('Text of the file')
  expect(texts['memory-versions.jsonl']).toContain('Lives in Bern')
  const lines = (texts['conversations.jsonl'] ?? '').trim().split('\n')
  const exported = JSON.parse(lines[0] ?? '')
  expect([lines.length, exported.id, exported.messages.length]).toEqual([1, conversation, 3])
  expect(JSON.parse(texts['person.json'] ?? '')).toMatchObject({ user_id: 'ada', role: 'editor' })
  expect(JSON.parse(texts['usage.json'] ?? '').months[0].requests).toBe(2)
  expect(texts['tokens.jsonl']).not.toContain('hash')
  expect(texts['audit.jsonl']).toContain(conversation)

  time += day + minute
  expect((await content()).status).toBe(404)
  await removeExpiredExports(here.ctx)
  expect((await get(`/user-jobs/${job.id}`)).body.data.file).toBeNull()
  expect(findPlaces(await readDump(here.environment), 'Text of the file')).toHaveLength(1)
})
