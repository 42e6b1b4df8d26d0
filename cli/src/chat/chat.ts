import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { isParleyError, type Parley, type ReplyEvent } from '../client.ts'
import { CliError } from '../failures.ts'
import type { Session } from '../session.ts'
import { cleanLine } from '../text.ts'
import { type Answer, fillIn, type Question } from './form.ts'
import { type Lines, readLines } from './lines.ts'
import { type Decision, followTurn, type PendingCall } from './turn.ts'
import { printCitations, type ReplyView, replyView } from './view.ts'

interface Start {
  agentId: string | null
  conversation: string | null
  user: string | null
}

const help = `/new            start a new conversation
/retry          get another reply to the last message
/attach <file>  send a file with the next message
/info           id, messages, tokens and cost of the conversation
/exit           leave; so do Ctrl-D, and Ctrl-C twice`

/** A chat in a terminal, or of the lines of a pipe. Returns the exit code. */
export async function chatSession(session: Session, client: Parley, start: Start): Promise<number> {
  const chat = new Chat(session, client, start)
  return chat.run()
}

class Chat {
  readonly #session: Session
  readonly #client: Parley
  readonly #start: Start
  readonly #view: ReplyView
  readonly #lines: Lines
  #conversation: string | null
  #agent: { id: string; name: string } = { id: '', name: '' }
  #attachments: { file_id: string }[] = []
  /** The reply that is being streamed. Its id is empty until the first event. */
  #running: { message: string; isStopped: boolean } | null = null
  #lastReply: string | null = null
  #isLeaving = false
  #exitCode = 0

  constructor(session: Session, client: Parley, start: Start) {
    this.#session = session
    this.#client = client
    this.#start = start
    this.#conversation = start.conversation
    this.#view = replyView(session.out, session.out)
    this.#lines = readLines(session.io, () => this.#interrupt())
  }

  async run(): Promise<number> {
    const { out } = this.#session
    try {
      await this.#open()
      for (;;) {
        const text = await this.#nextMessage()
        if (text === null || text === '/exit' || text === '/quit') break
        this.#isLeaving = false
        await this.#handle(text)
      }
    } finally {
      this.#lines.close()
    }
    if (out.isTerminal && this.#conversation) {
      out.line(out.paint('dim', `Continue with: parley chat --conversation ${this.#conversation}`))
    }
    return this.#exitCode
  }

  /** Finds the agent and conversation, shows the last messages and follows a running reply. */
  async #open(): Promise<void> {
    const { out } = this.#session
    const found = this.#conversation ? await this.#client.conversations.get(this.#conversation) : null
    const agentId = found?.agent_id ?? this.#start.agentId
    if (agentId === null)
      throw new CliError('The agent of this conversation was deleted.', 'Start another: parley chat <agent>')
    if (found && this.#start.agentId && found.agent_id !== this.#start.agentId) {
      throw new CliError(
        'This conversation is with another agent.',
        `Leave the agent out: parley chat --conversation ${found.id}`,
      )
    }
    this.#agent = await this.#client.agents.get(agentId)
    if (out.isTerminal)
      out.line(out.paint('dim', `${cleanLine(this.#agent.name)}: /help for commands, Ctrl-C to stop a reply`))
    const last = found?.messages.at(-1)
    const isOpen = last?.status === 'running' || last?.status.startsWith('awaiting_')
    for (const { role, content } of found?.messages.slice(-5, isOpen ? -1 : undefined) ?? []) {
      out.line(`${out.paint('bold', role === 'user' ? 'You' : cleanLine(this.#agent.name))}: ${content}`)
    }
    if (last?.role !== 'assistant') return
    this.#lastReply = last.id
    const open = new Set(last.tool_calls.flatMap(({ id, status }) => (status.startsWith('awaiting_') ? id : [])))
    if (isOpen) {
      await this.#follow(
        (id) => this.#client.conversations.resume(id, last.id),
        (call) => last.status.startsWith('awaiting_') && !open.has(call),
      )
    }
  }

  async #nextMessage(): Promise<string | null> {
    const { out } = this.#session
    let text = ''
    for (let prompt = out.paint('cyan', '> '); ; prompt = out.paint('dim', '… ')) {
      const line = await this.#lines.next(prompt)
      if (line === null) return text === '' ? null : text
      if (!line.endsWith('\\')) return `${text}${line}`.trim()
      text += `${line.slice(0, -1)}\n`
    }
  }

  /** Prints errors and lets the chat continue. */
  async #handle(text: string): Promise<void> {
    const { out, err, io } = this.#session
    const [word = '', ...rest] = text.split(' ')
    try {
      if (text === '') return
      if (!/^\/[a-z]+$/.test(word)) await this.#send(text)
      else if (word === '/help') out.line(help)
      else if (word === '/new') this.#reset()
      else if (word === '/retry') await this.#retry()
      else if (word === '/attach') await this.#attach(rest.join(' ').trim())
      else if (word === '/info') await this.#info()
      else out.line(`There is no command ${word}. /help lists them.`)
    } catch (error) {
      if (!isParleyError(error) && !(error instanceof CliError)) throw error
      this.#view.endLine()
      err.line(`${err.paint('red', 'Error:')} ${error.message}`)
      // Scripts learn of the error by the exit code.
      if (!io.stdin.isTTY) this.#exitCode = 1
    }
  }

  #reset(): void {
    this.#conversation = null
    this.#lastReply = null
    this.#session.out.line('A new conversation.')
  }

  async #send(text: string): Promise<void> {
    const { user } = this.#start
    this.#conversation ??= (
      await this.#client.conversations.create({ agent_id: this.#agent.id, ...(user !== null && { user_id: user }) })
    ).id
    const attachments = this.#attachments
    this.#attachments = []
    await this.#follow((id) =>
      this.#client.conversations.stream(id, text, {
        ...(attachments.length > 0 && { attachments }),
        onReconnect: () => this.#view.note('The connection was lost. Resuming …'),
      }),
    )
  }

  async #retry(): Promise<void> {
    const last = this.#lastReply
    if (last === null) throw new CliError('There is no reply yet.')
    await this.#follow((id) => this.#client.conversations.regenerateStream(id, last))
  }

  async #attach(name: string): Promise<void> {
    const { path, out } = this.#session
    if (name === '') throw new CliError('Name a file: /attach invoice.pdf')
    const content = await openAsBlob(path(name)).catch(() => {
      throw new CliError(`There is no file ${name}.`)
    })
    const { id } = await this.#client.files.upload({ name: basename(name), content })
    this.#attachments.push({ file_id: id })
    out.line(`${basename(name)} goes with the next message.`)
  }

  async #info(): Promise<void> {
    const { out } = this.#session
    if (this.#conversation === null) return out.line(`Agent ${this.#agent.name} (${this.#agent.id}). No messages yet.`)
    const { messages, tokens, cost } = await this.#client.conversations.totals(this.#conversation)
    out.line(`Agent ${this.#agent.name} (${this.#agent.id}), conversation ${this.#conversation}`)
    out.line(`${messages.total} messages, ${tokens.input} tokens in, ${tokens.output} out, $${cost.toFixed(4)}`)
  }

  async #follow(
    open: (conversation: string) => AsyncIterable<ReplyEvent>,
    isDecided: (toolCall: string) => boolean = () => false,
  ): Promise<void> {
    const { out, io } = this.#session
    const conversation = this.#conversation ?? ''
    const running = { message: '', isStopped: false }
    this.#running = running
    try {
      const { message, pending } = await followTurn(
        {
          client: this.#client,
          conversation,
          view: this.#view,
          isDecided,
          decide: (call) => this.#decide(call),
          answer: (question) => this.#answer(question),
          connect: (needed) => this.#connect(needed),
          onStart: (id) => {
            running.message = id
            this.#lastReply = id
            if (running.isStopped) this.#stop(id)
          },
        },
        open(conversation),
      )
      if (message) printCitations(out, message)
      else if (pending.length > 0)
        this.#view.note('The reply waits for a person. That can be done in the console, too.')
      if (message?.status === 'failed' && !io.stdin.isTTY) this.#exitCode = 1
    } finally {
      this.#running = null
    }
  }

  async #prompt(text: string): Promise<string | null> {
    const running = this.#running
    this.#running = null
    const line = await this.#lines.next(text)
    this.#running = running
    return line
  }

  async #answer(question: Question): Promise<Answer | null> {
    const { out } = this.#session
    out.line(`${out.paint('yellow', 'Question of')} ${cleanLine(question.name)}`)
    return fillIn(
      question,
      (line) => out.line(line),
      (text) => this.#prompt(text),
    )
  }

  async #connect({ name, authorize_url }: { name: string; authorize_url: string | null }): Promise<boolean> {
    const { out } = this.#session
    out.line(`${out.paint('yellow', 'Connect your account:')} ${cleanLine(name)}`)
    if (authorize_url === null) {
      this.#view.note('An editor connects this account in the console.')
      return false
    }
    out.line(authorize_url)
    return (await this.#prompt('Press Enter when it is connected: ')) !== null
  }

  async #decide(call: PendingCall): Promise<Decision | null> {
    const { out } = this.#session
    out.line(
      `${out.paint('yellow', 'Approval needed:')} ${cleanLine(call.name)}${call.target ? ` → ${cleanLine(call.target)}` : ''}`,
    )
    out.line(JSON.stringify(call.arguments, null, 2))
    const approval = call.approval_id === null ? null : await this.#client.approvals.get(call.approval_id)
    if (approval?.may_decide === false) {
      this.#view.note(`You cannot decide about this call. It is decided by ${cleanLine(approval.deciders)}.`)
      return null
    }
    const running = this.#running
    this.#running = null
    const answer = await this.#lines.next('Allow this call? y, n, or n and why: ')
    this.#running = running
    if (answer === null) return null
    const [, yes, no, comment = ''] = /^(?:(y|yes)|(n|no)\b[\s,:]*(.*))$/is.exec(answer.trim()) ?? []
    if (yes) return { approved: true }
    if (no) return { approved: false, ...(comment.trim() && { comment: comment.trim() }) }
    return this.#decide(call)
  }

  #stop(message: string): void {
    this.#client.conversations.cancel(this.#conversation ?? '', message).catch((error: unknown) => {
      // The reply may have ended on its own.
      this.#view.note(`The reply could not be stopped: ${(error as Error).message}`)
    })
  }

  /** Ctrl-C: stops the reply, or leaves when pressed twice at the prompt. */
  #interrupt(): boolean {
    const running = this.#running
    if (running !== null && !running.isStopped) {
      running.isStopped = true
      if (running.message !== '') this.#stop(running.message)
      return false
    }
    if (running !== null || this.#isLeaving) {
      this.#exitCode = 130
      return true
    }
    this.#isLeaving = true
    this.#session.out.line('\nPress Ctrl-C again to leave, or type /exit.')
    return false
  }
}
