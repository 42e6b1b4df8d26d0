// The minimal server that turns are compared with: Fastify, undici and SQLite: reads the history, asks the model, writes two rows; no more than that.
import BetterSqlite from 'better-sqlite3'
import Fastify from 'fastify'
import { Agent, request as ask } from 'undici'

const database = new BetterSqlite(process.env.DATABASE ?? ':memory:')
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec('create table message (id integer primary key, conversation text, role text, content text)')
database.exec('create index message_conversation on message (conversation, id)')
const history = database.prepare('select role, content from message where conversation = ? order by id')
const insert = database.prepare('insert into message (conversation, role, content) values (?, ?, ?)')
const save = database.transaction((conversation: string, question: string, answer: string) => {
  insert.run(conversation, 'user', question)
  insert.run(conversation, 'assistant', answer)
})
const dispatcher = new Agent()
const app = Fastify()

app.post('/api/conversations/:id/messages', async (request, reply) => {
  const { id } = request.params as { id: string }
  const { message, stream } = request.body as { message: string; stream?: boolean }
  const messages = [...history.all(id), { role: 'user', content: message }]
  const { body } = await ask(`${process.env.PROVIDER}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages, stream: true }),
    dispatcher,
  })
  let answer = ''
  let rest = ''
  if (stream) {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
  }
  for await (const chunk of body) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    let out = ''
    for (const line of lines) {
      if (!line.startsWith('data: ') || line === 'data: [DONE]') continue
      const delta = (JSON.parse(line.slice(6)) as { choices?: { delta?: { content?: string } }[] }).choices?.[0]?.delta
        ?.content
      if (!delta) continue
      answer += delta
      if (stream) out += `data: ${JSON.stringify({ delta })}\n\n`
    }
    if (stream && out !== '') reply.raw.write(out)
  }
  save(id, message, answer)
  if (!stream) return { success: true, data: { role: 'assistant', content: answer } }
  reply.raw.end()
})
process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
process.on('SIGTERM', () => process.exit(0))
