// Yardstick (a): hands a request to the model and its reply back, and does nothing else.
import { Agent, request as ask, createServer } from 'node:http'

const agent = new Agent({ keepAlive: true })
const target = new URL(`${process.env.PROVIDER}/chat/completions`)
const server = createServer((request, response) => {
  const outgoing = ask(target, { method: 'POST', agent, headers: { 'content-type': 'application/json' } }, (reply) => {
    response.writeHead(200, { 'content-type': reply.headers['content-type'] ?? 'application/json' })
    reply.pipe(response)
  })
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { message, stream } = JSON.parse(Buffer.concat(chunks).toString()) as { message: string; stream?: boolean }
    outgoing.end(
      JSON.stringify({ model: 'm', messages: [{ role: 'user', content: message }], stream: stream === true }),
    )
  })
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as { port: number }).port}\n`),
)
process.on('SIGTERM', () => process.exit(0))
