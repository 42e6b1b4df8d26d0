import { readdirSync, readFileSync } from 'node:fs'
import { phrases } from '@parley/local-model'
import { expect, it } from 'vitest'
import { freshEnvironment, type Json, type Service, startOn, until } from '../../../test/harness.ts'
import { type Question, questions } from './questions/questions.ts'
import { documentation } from './service.ts'

const documents = new URL('./questions/documents/', import.meta.url)

interface Asked extends Question {
  index: number
  content: string
  /** It says that it quotes the closest passages, or that nothing fits. */
  isUnsure: boolean
  hasFact: boolean
}

/** Measured: 38 useful, 25 of them answers, 3 wrong answers. Edits of Parley's documents, which half of the questions are about, may cost one or two. */
const minUseful = 34
const minAnswered = 16
const maxWrong = 3

it('the local model answers questions from documents, or quotes the closest passages', async () => {
  const service = await startOn({ ...(await freshEnvironment()), ADMIN_TOKEN: 't', DEMO: 'false', RATE_LIMIT: '0' })
  await useStaticEmbedding(service)
  const agents = { parley: await agentOver(service, documentation()), foreign: await agentOver(service, foreign()) }
  const answered = questions.map(async (question, index): Promise<Asked> => {
    const { content, citations } = await ask(service, agents[question.of], question.ask)
    const { closest, nothingFound } = phrases(question.ask)
    const isUnsure = content.startsWith(closest) || content === nothingFound
    const hasFact = question.fact?.test(content) === true && citations.length > 0
    return { ...question, index, content, isUnsure, hasFact }
  })
  const asked = await Promise.all(answered)
  const count = (isSo: (each: Asked) => boolean) => asked.filter(isSo).length
  const useful = count(({ hasFact }) => hasFact)
  const answers = count(({ hasFact, isUnsure }) => hasFact && !isUnsure)
  const isWrong = ({ hasFact, isUnsure }: Asked) => !hasFact && !isUnsure
  const wrong = count(isWrong)
  process.stdout.write(
    `The local model: ${useful} of 40 useful, ${answers} of them answers; ${wrong} wrong answers to 60 questions.\n`,
  )
  const message = asked
    .filter(({ fact, hasFact, isUnsure }) => (fact ? !hasFact : !isUnsure))
    .map(({ ask, content }) => `${ask} → ${content}`)
    .join('\n')
  expect(useful, message).toBeGreaterThanOrEqual(minUseful)
  expect(answers, message).toBeGreaterThanOrEqual(minAnswered)
  expect(wrong, message).toBeLessThanOrEqual(maxWrong)
})

async function ask(service: Service, agent: string, message: string): Promise<Json> {
  const conversation = (await service.post('/conversations', { agent_id: agent })).body.data.id
  return (await service.post(`/conversations/${conversation}/messages`, { message })).body.data
}

/** The other built-in model takes a minute for all documents, and scores the same. */
async function useStaticEmbedding({ get, put }: Service): Promise<void> {
  const model = (await get('/models?type=embedding')).body.data.find((each: Json) => each.name === 'Local static')
  const { status, body } = await put(`/models/${model.id}`, { ...model, is_default: true })
  expect(status, JSON.stringify(body)).toBe(200)
}

const foreign = () =>
  readdirSync(documents).map((title) => ({ title, content: readFileSync(new URL(title, documents), 'utf8') }))

async function agentOver(service: Service, documents: { title: string; content: string }[]): Promise<string> {
  const { get, post } = service
  const source = { name: 'Documents', type: 'text', configuration: { documents } }
  const knowledge_source_id = (await post('/knowledge-sources', source)).body.data.id
  const tool = (await post('/rag-tools', { name: 'Documents', knowledge_source_id })).body.data.id
  await until(async () => {
    const { status, index } = (await get(`/rag-tools/${tool}`)).body.data
    return status === 'ready' && index.documents === documents.length
  })
  return (await post('/agents', { name: 'Reader', tools: [tool] })).body.data.id
}
