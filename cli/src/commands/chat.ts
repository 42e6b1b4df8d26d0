import { chatSession } from '../chat/chat.ts'
import { agentCollection, findId } from '../collections.ts'
import { command } from '../command.ts'
import { UsageError } from '../failures.ts'

export const chat = command({
  name: 'chat',
  summary: 'Talk to an agent in the terminal',
  args: '[agent]',
  details: `Replies stream with the tool calls of the agent. A call that needs approval is asked about. Ctrl-C stops a reply, and leaves
at the prompt when pressed twice. A line that ends with "\\" goes on in the next one. /help lists the commands of the chat.`,
  connects: true,
  options: {
    conversation: { type: 'string', short: 'c', value: 'id', description: 'Continue a conversation' },
    user: { type: 'string', value: 'id', description: 'The user of a new conversation' },
  },
  examples: [
    'parley chat Guide',
    'parley chat --conversation cnv_01k9z8q4m6e3v7t2w5x8y1a4bc',
    'echo "Hello" | parley chat Guide',
  ],
  async run(session, [agent], { conversation, user }) {
    if (agent === undefined && conversation === undefined)
      throw new UsageError('Name an agent, or pass --conversation.')
    const client = await session.client()
    const agentId = agent === undefined ? null : await findId(client, agentCollection, agent)
    return chatSession(session, client, { agentId, conversation: conversation ?? null, user: user ?? null })
  },
})
