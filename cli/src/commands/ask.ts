import { followTurn } from '../chat/turn.ts'
import { printCitations, replyView } from '../chat/view.ts'
import { agentCollection, findId } from '../collections.ts'
import { command } from '../command.ts'
import { CliError, UsageError } from '../failures.ts'
import { jsonOption } from '../options.ts'
import { readStdin } from '../prompt.ts'

export const ask = command({
  name: 'ask',
  summary: 'Ask an agent one question',
  args: '<agent> [question...]',
  details: `Without a question, or with "-", it is read from stdin. The answer and its sources go to stdout, the tool calls to stderr.
A tool call that needs a person (an approval, an account, an answer) ends the command with exit code 1; go on in "parley chat" or in the console.`,
  connects: true,
  options: {
    conversation: { type: 'string', short: 'c', value: 'id', description: 'Continue a conversation' },
    user: { type: 'string', value: 'id', description: 'The user of a new conversation' },
    json: { ...jsonOption, description: 'Print the whole message as JSON' },
  },
  examples: [
    'parley ask Guide "How do I add a model?"',
    'git diff | parley ask Reviewer -',
    'parley ask Guide "How do I add a model?" --json | jq .citations',
  ],
  async run(session, [agent = '', ...words], { conversation, user }) {
    const { io, out, err, isJson, client } = session
    const question = await readQuestion(words, () => readStdin(io), Boolean(io.stdin.isTTY))
    const connected = await client()
    const agent_id = await findId(connected, agentCollection, agent)
    const body = { agent_id, ...(user !== undefined && { user_id: user }) }
    const id = conversation ?? (await connected.conversations.create(body)).id
    const silent = { ...out, text: () => {}, line: () => {} }
    const view = isJson ? replyView(silent, silent) : replyView(out, err)
    const events = connected.conversations.stream(id, question, {
      onReconnect: () => view.note('The connection was lost. Resuming …'),
    })
    const { message, pending } = await followTurn(
      { client: connected, conversation: id, view, decide: async () => null },
      events,
    )
    if (message === null) throw waiting(pending, agent, id)
    if (isJson) out.json(message)
    else printCitations(out, message)
    return message.status === 'completed' ? 0 : 1
  },
})

async function readQuestion(words: string[], read: () => Promise<string>, isTerminal: boolean): Promise<string> {
  const text = words.join(' ').trim()
  if (text !== '' && text !== '-') return text
  if (isTerminal) throw new UsageError('[question...] is missing.')
  const piped = (await read()).trim()
  if (piped === '') throw new UsageError('The question on stdin is empty.')
  return piped
}

const waiting = (pending: { name: string }[], agent: string, conversation: string): CliError =>
  new CliError(
    `The reply waits for a person: ${pending.map(({ name }) => name).join(', ')}.`,
    `Go on in the console, or run: parley chat "${agent}" --conversation ${conversation}`,
  )
