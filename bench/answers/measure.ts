import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentation } from '../../server/src/features/demo/service.ts'
import { apiOf, until } from '../api.ts'
import { type Running, startParley } from '../processes.ts'
import { isHeldOut, type Question, questions } from './questions.ts'

export interface Asked extends Question {
  isHeldOut: boolean
  reply: string
  /** Useful, or refused if the documents do not answer. */
  isRight: boolean
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
    if (data) agents.documents = await agentOver(parley, documentsIn(join(data, 'docs')))
    const asked: Asked[] = []
    for (const [index, question] of questions.entries()) {
      const agent = agents[question.of]
      if (agent) asked.push({ ...(await ask(parley, agent, question)), isHeldOut: isHeldOut(index) })
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
  const { call } = apiOf(parley)
  const models = await call<{ id: string; name: string }[]>('GET', '/models?type=embedding')
  const model = models.find(({ name }) => name === 'Local static')
  await call('PUT', `/models/${model?.id}`, { ...model, is_default: true })
}

async function agentOver(parley: Running, files: File[]): Promise<string> {
  const { call } = apiOf(parley)
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

async function ask(parley: Running, agent_id: string, question: Question): Promise<Omit<Asked, 'isHeldOut'>> {
  const { call } = apiOf(parley)
  const { id } = await call<{ id: string }>('POST', '/conversations', { agent_id })
  const started = performance.now()
  const reply = await call<Reply>('POST', `/conversations/${id}/messages`, { message: question.ask })
  const milliseconds = performance.now() - started
  const { content, citations } = reply
  const isRight = question.fact ? question.fact.test(content) && citations.length > 0 : citations.length === 0
  return { ...question, reply: content, isRight, milliseconds }
}
