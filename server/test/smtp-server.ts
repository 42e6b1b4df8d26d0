import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

interface Mail {
  to: string
  /** The headers and the text, without the encoding of the transfer. */
  text: string
}

export interface SmtpServer {
  /** With a user and a password. */
  url: string
  mails: Mail[]
  /** `user\0password` of each sign-in. */
  credentials: string[]
}

/** The server's reply to the nth message: 250 accepts it, 451 asks for another attempt, 550 refuses it. */
type Answers = (nth: number) => number

/** A mail server on loopback. It accepts messages, but delivers none. */
export async function startSmtpServer(answers: Answers = () => 250): Promise<SmtpServer> {
  const mails: Mail[] = []
  const credentials: string[] = []
  const sockets = new Set<Socket>()
  let attempts = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    void converse(socket)
  })

  async function converse(socket: Socket): Promise<void> {
    const say = (line: string) => void socket.write(`${line}\r\n`)
    socket.on('error', () => {})
    say('220 mail.test ESMTP')
    let to = ''
    let body: string[] | null = null
    for await (const line of createInterface({ input: socket })) {
      if (body !== null) {
        if (line !== '.') body.push(line.replace(/^\./, ''))
        else {
          mails.push({ to, text: unquoted(body.join('\n')) })
          body = null
          say('250 accepted')
        }
        continue
      }
      const [command = '', argument = '', secret = ''] = line.split(' ')
      if (command === 'EHLO') say('250-mail.test\r\n250 AUTH PLAIN')
      else if (command === 'AUTH') {
        credentials.push(Buffer.from(secret, 'base64').toString().slice(1))
        say('235 welcome')
      } else if (command === 'RCPT') {
        const status = answers(++attempts)
        to = argument.replace(/^TO:<(.*)>$/, '$1')
        say(status === 250 ? '250 ok' : `${status} not now, ${to}`)
      } else if (command === 'DATA') {
        body = []
        say('354 go on')
      } else if (command === 'QUIT') socket.end('221 bye\r\n')
      else say('250 ok')
    }
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => server.close(closed))
  })
  const { port } = server.address() as { port: number }
  return { url: `smtp://parley:p%40ssword@127.0.0.1:${port}`, mails, credentials }
}

/** Undoes quoted-printable, which breaks long lines. */
const unquoted = (text: string): string =>
  text.replace(/=\n/g, '').replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
