import { expect } from 'vitest'
import { type Json, type Service, until } from './harness.ts'

export const texts = [
  { title: 'open.md', content: 'The zebra canteen opens at seven.' },
  { title: 'hr/pay.md', content: 'The zebra salary of the director is 90 thousand.' },
  { title: 'anna.md', content: 'The zebra review of Anna is excellent.' },
]

/** A source with a document for everyone, one for the group hr and one for Anna, a tool over it and an agent with the tool. */
export async function company(service: Service) {
  const { post, put, get } = service
  const configuration = { documents: texts }
  const rules = [{ path: 'hr/**', access: { groups: ['hr'] } }]
  const source = (
    await post('/knowledge-sources', { name: 'Company', type: 'text', configuration, access_rules: rules })
  ).body.data.id
  const path = `/knowledge-sources/${source}/documents`
  const documents = await until(async () => {
    const { data } = (await get(path)).body
    return data.length === 3 && data.every(({ status }: Json) => status === 'indexed') ? data : undefined
  })
  const findId = (name: string): string => documents.find((each: Json) => each.name === name).id
  const anna = await put(`${path}/${findId('anna.md')}`, { access: { users: ['anna'] } })
  expect([anna.status, anna.body.data.access]).toEqual([200, { groups: [], users: ['anna'] }])
  const tool = (await post('/rag-tools', { name: 'Company', knowledge_source_id: source, top_k: 10 })).body.data.id
  const agent = (await post('/agents', { name: 'Helper', tools: [tool] })).body.data.id
  const createToken = async (role: string, user_id: string, groups: string[] = []) =>
    (await post('/tokens', { name: user_id, role, user_id, groups })).body.data as { id: string; token: string }
  return { source, path, findId, tool, agent, createToken }
}

export const names = ({ body }: { body: Json }): string[] => body.data.map(({ name }: Json) => name).sort()
