import { Code } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { shellQuoted } from '../ui/shell.ts'
import { Tabs } from '../ui/tabs.tsx'

const curl = (agent: string, message: string): string => `BASE=${location.origin}
CONVERSATION=$(curl -s "$BASE/api/v1/conversations" \\
  -H "Authorization: Bearer $PARLEY_TOKEN" -H 'Content-Type: application/json' \\
  -d ${shellQuoted(JSON.stringify({ agent_id: agent }))} | jq -r .data.id)

curl -N "$BASE/api/v1/conversations/$CONVERSATION/messages" \\
  -H "Authorization: Bearer $PARLEY_TOKEN" -H 'Content-Type: application/json' \\
  -d ${shellQuoted(JSON.stringify({ message, stream: true }))}`

const typescript = (agent: string, message: string): string => `import { Parley } from '@parley/client'

const parley = new Parley({ baseUrl: '${location.origin}', token: process.env.PARLEY_TOKEN })
const { id } = await parley.conversations.create({ agent_id: '${agent}' })

for await (const event of parley.conversations.stream(id, ${JSON.stringify(message)})) {
  if (event.type === 'text.delta') process.stdout.write(event.delta)
}`

const openai = (agent: string, message: string): string => `import OpenAI from 'openai'

const openai = new OpenAI({ baseURL: '${location.origin}/api/openai/v1', apiKey: process.env.PARLEY_TOKEN })
const reply = await openai.chat.completions.create({
  model: '${agent}',
  messages: [{ role: 'user', content: ${JSON.stringify(message)} }],
})`

/** Code examples for the conversation. They never contain the token. */
export function Snippets({ agent, message }: { agent: string; message: string }) {
  const [open, setOpen] = useState(false)
  const [tab, setTab] = useState('curl')
  const tabs = [
    { value: 'curl', label: 'curl', content: <CodeBlock label="curl" text={curl(agent, message)} /> },
    {
      value: 'typescript',
      label: 'TypeScript',
      content: <CodeBlock label="TypeScript" text={typescript(agent, message)} />,
    },
    {
      value: 'openai',
      label: 'OpenAI client',
      content: <CodeBlock label="OpenAI client" text={openai(agent, message)} />,
    },
  ]
  return (
    <>
      <Button small variant="quiet" icon={Code} onClick={() => setOpen(true)}>
        Use in code
      </Button>
      <Dialog
        wide
        open={open}
        onOpenChange={setOpen}
        title="Use in code"
        description="Run this conversation from your own code. Set PARLEY_TOKEN to an access token first."
      >
        <Tabs label="Language" tabs={tabs} value={tab} onChange={setTab} />
      </Dialog>
    </>
  )
}
