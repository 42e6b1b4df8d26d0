import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../api/parley.ts'
import { ErrorPanel } from '../parts/error-panel.tsx'
import { Button } from '../ui/button.tsx'
import { toFailure } from '../ui/errors.ts'
import { Logo } from '../ui/logo.tsx'
import { Badge } from '../ui/page.tsx'
import { Loading } from '../ui/states.tsx'
import { showError } from '../ui/toasts.tsx'

const maxNamedAgents = 8

/** Where a program leads people who connect it to the MCP server. */
export default function Consent({ me }: { me: Schemas['Me'] }) {
  const request = Object.fromEntries(new URLSearchParams(location.search))
  const [decided, setDecided] = useState<boolean | null>(null)
  const consent = useQuery({
    queryKey: ['consent', request],
    queryFn: ({ signal }) => parley.oauth.consent(request, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const decide = async (allow: boolean) => {
    setDecided(allow)
    try {
      const { redirect_to } = await parley.oauth.decide({ ...request, allow }, { maxRetries: 0 })
      location.assign(redirect_to)
    } catch (error) {
      setDecided(null)
      showError(toFailure(error), 'Could not connect')
    }
  }
  return (
    <main className="centered">
      <div className="sign-in card stack">
        <Logo />
        {consent.isPending && <Loading />}
        {consent.error && <ErrorPanel error={consent.error} />}
        {consent.data && (
          <>
            <Question {...consent.data} me={me} />
            <div className="row">
              <Button
                variant="primary"
                icon={Check}
                busy={decided === true}
                disabled={decided !== null}
                onClick={() => void decide(true)}
              >
                Allow
              </Button>
              <Button disabled={decided !== null} onClick={() => void decide(false)}>
                Cancel
              </Button>
            </div>
            {decided !== null && <p role="status">You can close this tab if it stays open.</p>}
          </>
        )}
      </div>
    </main>
  )
}

function Question({ client, agents, may, me }: Schemas['Consent'] & { me: Schemas['Me'] }) {
  const named = agents.slice(0, maxNamedAgents)
  const more = agents.length - named.length
  return (
    <>
      <h1>Connect {client.name}?</h1>
      <p>
        {client.host === null ? (
          <Badge tone="warn">Unverified</Badge>
        ) : (
          <>
            Published by <strong>{client.host}</strong>.
          </>
        )}{' '}
        {client.host === null && 'The program chose this name itself.'} You return to{' '}
        <strong>{client.redirect_host}</strong>. Continue only if you started this there.
      </p>
      <p>
        It acts as {me.user_id ?? me.token.name ?? 'you'} with the role {me.role} in {me.workspace.name}, and can:
      </p>
      <ul>
        {may.converse && (
          <li>
            talk to{' '}
            {agents.length === 0
              ? 'agents that you may use'
              : `${named.join(', ')}${more > 0 ? ` and ${more} more agents` : ''}`}
          </li>
        )}
        {may.read_configuration && <li>see tools and prompt templates</li>}
        {may.call_tools && <li>call tools that need no approval</li>}
        {!may.converse && <li>list agents, without talking to them</li>}
      </ul>
      <p className="muted">
        Nothing else of Parley is open to it. Administrators can disconnect it under Settings, Access tokens.
      </p>
    </>
  )
}
