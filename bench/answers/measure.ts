import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { phrases } from '../../packages/local-model/src/index.ts'
import { documentation } from '../../server/src/features/demo/service.ts'
import { createApi, until } from '../api.ts'
import { type Running, startParley } from '../processes.ts'
import { freshQuestions } from './fresh-questions.ts'
import { isHeldOut, type Question, questions } from './questions.ts'

export interface Asked extends Question {
  isHeldOut: boolean
  isFresh: boolean
  reply: string
  /** How sure the reply says it is. */
  grade: 'answer' | 'closest' | 'nothing'
  /** The reply contains the fact that was asked for and cites a passage. */
  hasFact: boolean
  milliseconds: number
}

interface Reply {
  content: string
  citations: unknown[]
}

/** Asks agents on the local model: one over all documents of the bench data, if there are any, and one over Parley's own. */
export async function askAll(data: string | undefined): Promise<Asked[]> {
  const parley = await startParley()
  try {
    await useStaticEmbedding(parley)
    const agents: Partial<Record<Question['of'], string>> = { parley: await agentOver(parley, ownDocuments()) }
    agents.office = await agentOver(parley, documentsIn(fileURLToPath(new URL('documents', import.meta.url))))
    if (data) agents.documents = await agentOver(parley, documentsIn(join(data, 'docs')))
    const asked: Asked[] = []
    for (const set of [questions, freshQuestions])
      for (const [index, question] of set.entries()) {
        const agent = agents[question.of]
        const isFresh = set === freshQuestions
        if (agent) asked.push({ ...(await ask(parley, agent, question)), isHeldOut: isHeldOut(index), isFresh })
      }
    return asked
  } finally {
    await parley.stop()
  }
}

const ownDocuments = (): File[] => documentation().map(({ title, content }) => new File([content], title))

const documentsIn = (folder: string): File[] =>
  readdirSync(folder)
    .filter((name) => name !== 'README.md')
    .map((name) => new File([readFileSync(join(folder, name))], name))

/** MiniLM takes minutes for all documents, and its answers are about as good. */
async function useStaticEmbedding(parley: Running): Promise<void> {
  const { call } = createApi(parley)
  const models = await call<{ id: string; name: string }[]>('GET', '/models?type=embedding')
  const model = models.find(({ name }) => name === 'Local static')
  await call('PUT', `/models/${model?.id}`, { ...model, is_default: true })
}

async function agentOver(parley: Running, files: File[]): Promise<string> {
  const { call } = createApi(parley)
  const source = await call<{ id: string }>('POST', '/knowledge-sources', { name: 'Documents', type: 'file' })
  const body = { name: 'Documents', knowledge_source_id: source.id }
  const tool = await call<{ id: string }>('POST', '/rag-tools', body)
  const form = new FormData()
  for (const file of files) form.append('files', file)
  await call('POST', `/knowledge-sources/${source.id}/documents`, form)
  const isDone = (status: string) => status === 'active' || status === 'error'
  await until(
    () => call<{ status: string }>('GET', `/knowledge-sources/${source.id}`),
    ({ status }) => isDone(status),
  )
  return (await call<{ id: string }>('POST', '/agents', { name: 'Reader', tools: [tool.id] })).id
}

async function ask(
  parley: Running,
  agent_id: string,
  question: Question,
): Promise<Omit<Asked, 'isHeldOut' | 'isFresh'>> {
  const { call } = createApi(parley)
  const { id } = await call<{ id: string }>('POST', '/conversations', { agent_id })
  const started = performance.now()
  const reply = await call<Reply>('POST', `/conversations/${id}/messages`, { message: question.ask })
  const milliseconds = performance.now() - started
  const { content, citations } = reply
  const hasFact = question.fact?.test(content) === true && citations.length > 0
  return { ...question, reply: content, grade: gradeIn(question.ask, reply), hasFact, milliseconds }
}

function gradeIn(question: string, { content, citations }: Reply): Asked['grade'] {
  if (citations.length === 0) return 'nothing'
  return content.startsWith(phrases(question).closest) ? 'closest' : 'answer'
}
