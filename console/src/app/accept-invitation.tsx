import { LogIn } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Logo } from '../ui/logo.tsx'
import { acceptInvitation, invitationProblem, isSignInLink } from './auth.ts'
import { useEntry } from './entry.ts'

/** Where an invitation link leads. */
export default function AcceptInvitation({ code }: { code: string }) {
  const [name, setName] = useState('')
  const isKnown = isSignInLink()
  const { busy, problem, onSubmit } = useEntry({
    enter: () => acceptInvitation(code, name),
    explain: invitationProblem,
  })

  return (
    <main className="centered">
      <div className="sign-in card">
        <Logo />
        <h1>{isKnown ? 'Sign in to Parley' : 'You are invited to Parley'}</h1>
        <form className="token-form" onSubmit={onSubmit}>
          <p className="muted">
            {isKnown ? 'This link works once, and signs you in on this device.' : 'Say who you are, and you are in.'}
          </p>
          {isKnown ? (
            problem && (
              <p className="notice bad" role="alert">
                {problem}
              </p>
            )
          ) : (
            <TextField
              label="Your name"
              hint="Others see it."
              error={problem ?? undefined}
              value={name}
              onChange={setName}
            />
          )}
          <Button type="submit" variant="primary" icon={LogIn} busy={busy} disabled={!isKnown && name.trim() === ''}>
            {isKnown ? 'Sign in' : 'Join'}
          </Button>
        </form>
      </div>
    </main>
  )
}
