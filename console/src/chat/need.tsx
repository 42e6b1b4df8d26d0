import type { Message } from '@parley/client'
import { ExternalLink, Link2, MessageCircleQuestion } from 'lucide-react'
import { useEffect } from 'react'
import { parley } from '../api/parley.ts'
import { useSave } from '../api/save.ts'
import { useForm } from '../parts/form.ts'
import { Button } from '../ui/button.tsx'
import { showError } from '../ui/toasts.tsx'
import { defaultContent, filledContent, InputForm, type InputSchema } from './input-form.tsx'

type Call = Message['tool_calls'][number]

export interface Answer {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, unknown>
}

interface NeedProps {
  call: Call
  mayAct: boolean
  onAnswer: (answer: Answer) => Promise<void>
  /** Somebody may have done it elsewhere. */
  onCheck: () => void
}

const checkEvery = 3000

/** A tool call that waits for an account, or for the answer of a person. */
export default function Need(props: NeedProps) {
  return props.call.status === 'awaiting_connection' ? <ConnectAccount {...props} /> : <Question {...props} />
}

function ConnectAccount({ call, mayAct, onCheck }: NeedProps) {
  const {
    tool_id: tool,
    name,
    authorize_url: address,
  } = call.connection ?? { tool_id: '', name: call.name, authorize_url: null }
  useEffect(() => {
    const timer = setInterval(onCheck, checkEvery)
    return () => clearInterval(timer)
  }, [onCheck])
  // The address of the message works once, and is missing where a reply runs without a browser, so a fresh one is used.
  const connect = () => {
    const tab = window.open('', '_blank')
    parley.connections
      .connect({ tool_id: tool })
      .then(({ authorize_url: fresh }) => fresh)
      .catch((error) => {
        if (address === null) tab?.close()
        return address ?? Promise.reject(error)
      })
      .then((url) => {
        if (tab) {
          tab.opener = null
          tab.location.href = url
        } else window.location.href = url
      })
      .catch(showError)
  }
  return (
    <div className="approval">
      <p className="row">
        <Link2 aria-hidden size={17} />
        <span>
          The agent needs {mayAct && address !== null ? 'your' : 'an'} account in <strong>{name}</strong>.
          {address === null && ' If it is the account of the workspace, an editor connects it.'}
        </span>
      </p>
      {mayAct && tool !== '' && (
        <div className="row">
          <Button variant="primary" icon={ExternalLink} onClick={connect}>
            Connect {name}
          </Button>
          {address !== null && <span className="muted">Opens {new URL(address).host}</span>}
        </div>
      )}
    </div>
  )
}

function Question({ call, mayAct, onAnswer }: NeedProps) {
  const question = call.inputs?.at(-1)
  const schema: InputSchema = question?.schema ?? {}
  const answer = useSave({ invalidates: [], run: onAnswer })
  const form = useForm({
    saved: { content: defaultContent(schema) },
    invalidates: [],
    run: ({ content }) => onAnswer({ action: 'accept', content: filledContent(schema, content) }),
  })
  if (!question) return null
  const { message, url } = question
  const busy = answer.isPending || form.save.isPending
  const decline = (
    <Button busy={busy} onClick={() => answer.mutate({ action: 'decline' })}>
      Decline
    </Button>
  )
  return (
    <div className="approval">
      <p className="row">
        <MessageCircleQuestion aria-hidden size={17} />
        <span>
          <strong>{call.name}</strong> asks: {message}
        </span>
      </p>
      {mayAct && url !== undefined && (
        <div className="row">
          <Button
            variant="primary"
            icon={ExternalLink}
            busy={busy}
            onClick={() => {
              window.open(url, '_blank', 'noopener,noreferrer')
              answer.mutate({ action: 'accept' })
            }}
          >
            Open {new URL(url).host}
          </Button>
          {decline}
        </div>
      )}
      {mayAct && url === undefined && (
        <InputForm schema={schema} form={form} busy={busy}>
          {decline}
        </InputForm>
      )}
    </div>
  )
}
