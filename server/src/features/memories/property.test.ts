import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Json, until } from '../../../test/harness.ts'
import type { Director } from '../../../test/scripted-provider.ts'
import { stage } from '../../../test/stage.ts'
import { ownerKey } from './indexing.ts'

const people = ['ada', 'bob'] as const
const person = fc.constantFrom(...people)
const which = fc.nat({ max: 5 })
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('write' as const), person, which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('add' as const), person, which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('edit' as const), person, which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('replace' as const), person, which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('undo' as const), person, which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('delete' as const), person, which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('end' as const), person, which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('item' as const), person, which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('clear' as const), person, which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('erase' as const), person, which }) },
)

/** The texts of a fact, the newest last, each with the conversation it is deleted with, unless a person wrote it. */
interface Known {
  id: string
  versions: { content: string; conversation: string | null }[]
}

/** The facts without what came from a conversation. */
const without = (facts: Known[], conversation: string): Known[] =>
  facts
    .map(({ id, versions }) => ({ id, versions: versions.filter((version) => version.conversation !== conversation) }))
    .filter(({ versions }) => versions.length > 0)

const remembering: Director = ({ body }) => {
  const last = (body.messages as { role: string; content: string }[]).at(-1)
  const [, content, replaces] = /Note (\w+)(?: for (\w+))?$/.exec(last?.role === 'user' ? last.content : '') ?? []
  if (!content) return { deltas: ['Well.'] }
  return { toolCalls: [{ name: 'remember', arguments: JSON.stringify({ content, replaces }) }] }
}

it('nothing deleted can be recalled, by anybody, after any sequence of changes', async () => {
  const service = await stage(remembering, { own: true }, { memory: { scope: 'user', write: 'tool' } })
  const { ctx, get, post, put, remove, say, agent } = service
  const workspace = (await get('/workspaces')).body.data[0].id as string
  let word = 0
  const newWord = () => `sparrow${++word}`
  const talk = async (user_id: string) => (await post('/conversations', { agent_id: agent, user_id })).body.data.id

  const run = async (commands: { does: string; person: (typeof people)[number]; which: number }[]) => {
    const known: Record<string, Known[]> = { ada: [], bob: [] }
    for (const { does, person: who, which: at } of commands) {
      const own = known[who] ?? []
      const fact = own[at % Math.max(1, own.length)]
      const note = async (replaces = '') => {
        const conversation = await talk(who)
        const content = newWord()
        const reply = (await say(conversation, `Note ${content}${replaces}`)).body.data
        return { id: reply.memories.written[0].id as string, version: { content, conversation } }
      }
      const conversation = fact?.versions[at % fact.versions.length]?.conversation
      if (does === 'write') {
        const { id, version } = await note()
        own.push({ id, versions: [version] })
      }
      if (does === 'add') {
        const content = newWord()
        const { id } = (await post('/memories', { content, user_id: who })).body.data
        own.push({ id, versions: [{ content, conversation: null }] })
      }
      if (does === 'edit' && fact) {
        const content = newWord()
        await put(`/memories/${fact.id}`, { content })
        fact.versions.splice(-1, 1, { content, conversation: null })
      }
      if (does === 'replace' && fact) fact.versions.push((await note(` for ${fact.id}`)).version)
      if (does === 'undo' && fact) {
        const { data } = (await post(`/memories/${fact.id}/undo`)).body
        fact.versions.pop()
        expect(data?.content).toBe(fact.versions.at(-1)?.content)
        known[who] = own.filter(({ versions }) => versions.length > 0)
      }
      if (does === 'delete' && fact) {
        await remove(`/memories/${fact.id}`)
        known[who] = own.filter((each) => each !== fact)
      }
      if (does === 'end' && conversation) {
        await remove(`/conversations/${conversation}`)
        known[who] = without(own, conversation)
      }
      if (does === 'item' && conversation) {
        const items = `/openai/v1/conversations/${conversation}/items`
        const question = (await get(items)).body.data.find(({ role }: Json) => role === 'user')
        expect((await remove(`${items}/${question.id}`)).status).toBe(200)
        known[who] = without(own, conversation)
      }
      if (does === 'clear') {
        await remove(`/memories?user_id=${who}`)
        known[who] = []
      }
      if (does === 'erase') {
        const user = (await get('/users?limit=100')).body.data.find(({ user_id }: Json) => user_id === who)
        if (!user) continue
        const job = (await post(`/users/${user.id}/erase`)).body.data
        await until(async () => (await get(`/user-jobs/${job.id}`)).body.data?.status === 'completed')
        known[who] = []
      }
    }
    for (const who of people) {
      const reply = (await say(await talk(who), 'Which sparrow?')).body.data
      const contents = known[who]?.map(({ versions }) => versions.at(-1)?.content).sort()
      expect(reply.memories.recalled.map(({ content }: Json) => content).sort()).toEqual(contents)
      const documents = { only: [ownerKey({ user_id: who, agent_id: null })] }
      const indexed = await ctx.search.search(
        { workspace, key: 'memories' },
        { query: 'sparrow', topK: 50, documents, mode: 'vector' },
      )
      expect(indexed.map(({ chunk }) => chunk.text).sort()).toEqual(contents)
      await remove(`/memories?user_id=${who}`)
    }
  }
  await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 9 }), run), { numRuns: 8 })
})
