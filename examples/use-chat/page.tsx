import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, type UIMessage } from 'ai'
import { createRoot } from 'react-dom/client'

// Parley stores the conversation, so only the last message is sent.
const transport = new DefaultChatTransport({
  api: `/api/conversations/${await newConversation()}/messages?protocol=ai-sdk`,
  prepareSendMessagesRequest: ({ messages }) => ({ body: { message: messageText(messages.at(-1)), stream: true } }),
})

function Page() {
  const { messages, sendMessage, status } = useChat({ transport })
  return (
    <form action={(form) => sendMessage({ text: String(form.get('message')) })}>
      {messages.map((message) => (
        <p key={message.id}>
          <b>{message.role}:</b> {messageText(message)}
        </p>
      ))}
      <input name="message" aria-label="Message" placeholder="How do I connect a model?" />
      <button type="submit" disabled={status !== 'ready'}>
        Send
      </button>
    </form>
  )
}

const messageText = (message?: UIMessage): string =>
  (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')

async function newConversation(): Promise<string> {
  const call = async (path: string, init?: RequestInit) => (await (await fetch(`/api${path}`, init)).json()).data
  const [agent] = await call('/agents?limit=1&name=Parley%20guide')
  const body = JSON.stringify({ agent_id: agent.id })
  return (await call('/conversations', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).id
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<Page />)
