import { expect, it } from 'vitest'
import type { Director } from '../../../../test/scripted-provider.ts'
import { stage } from '../../../../test/stage.ts'
import { context, long, summarizing } from '../../../../test/summarizing.ts'

it('drops a summary that covers a deleted message', async () => {
  const { get, post, remove, agent } = await summarizing()
  const ids: string[] = []
  let conversation = ''
  for (let n = 1; n <= 10; n++) {
    const body = { model: agent, input: long(n), ...(n > 1 && { previous_response_id: ids.at(-1) }) }
    const response = (await post('/openai/v1/responses', body)).body
    ids.push(response.id)
    conversation = response.conversation?.id ?? conversation
  }
  expect((await get(`/conversations/${conversation}`)).body.data.summary).not.toBeNull()
  await remove(`/openai/v1/responses/${ids[0]}`)
  expect((await get(`/conversations/${conversation}`)).body.data.summary).toBeNull()
})

it('is stored although replies are empty, made by one turn at a time, and not stored if a message is deleted meanwhile', async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<'asked'>()
  const { promise: hold, resolve: release } = Promise.withResolvers<void>()
  let isHeld = false
  const director: Director = ({ body }) => {
    const [first] = body.messages as { content: string }[]
    if (!first?.content.startsWith('You summarize')) return { deltas: [] }
    if (!isHeld) return { deltas: ['Summary'] }
    isHeld = false
    ask('asked')
    return { deltas: ['Summary of deleted text'], hold, after: 0 }
  }
  const { get, put, remove, say, talk, model } = await stage(director, {}, { context, max_tokens: 100 })
  await put(`/models/${model}`, { context_window: 1000 })
  const id = await talk()
  for (let n = 1; n <= 12; n++) await say(id, long(n))
  expect((await get(`/conversations/${id}`)).body.data.summary).toMatchObject({ content: 'Summary' })
  isHeld = true
  const summarized = async (n: number): Promise<void> => {
    const said = say(id, long(n))
    if ((await Promise.race([said, asked])) !== 'asked') return summarized(n + 1)
    // The turn that pays for the summary holds the conversation.
    expect((await say(id, 'At once')).body.code).toBe('conversation_busy')
    const [question] = (await get(`/conversations/${id}/messages`)).body.data
    expect((await remove(`/openai/v1/conversations/${id}/items/${question.id}`)).status).toBe(200)
    release()
    await said
  }
  await summarized(13)
  expect((await get(`/conversations/${id}`)).body.data.summary).toBeNull()
})
