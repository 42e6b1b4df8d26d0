// The bare route that requests are compared with: a Fastify that does nothing but send the bytes it was given.
import Fastify from 'fastify'

const answers = JSON.parse(process.env.ANSWERS ?? '{}') as Record<string, string>
const app = Fastify()
for (const [path, text] of Object.entries(answers)) {
  app.get(path, (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
  app.post(path, (_request, reply) => reply.status(201).type('application/json; charset=utf-8').send(text))
}
process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
process.on('SIGTERM', () => process.exit(0))
