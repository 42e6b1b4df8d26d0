import { LogIn } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Logo } from '../ui/logo.tsx'
import { acceptInvitation, invitationProblem } from './auth.ts'
import { useEntry } from './entry.ts'

/** Where an invitation link leads. */
export default function AcceptInvitation({ code }: { code: string }) {
  const [name, setName] = useState('')
  const { busy, problem, onSubmit } = useEntry({
    enter: () => acceptInvitation(code, name),
    explain: invitationProblem,
  })

  return (
    <main className="centered">
      <div className="sign-in card">
        <Logo />
        <h1>You are invited to Parley</h1>
        <form className="token-form" onSubmit={onSubmit}>
          <p className="muted">Say who you are, and you are in.</p>
          <TextField
            label="Your name"
            hint="Others see it."
            error={problem ?? undefined}
            value={name}
            onChange={setName}
          />
          <Button type="submit" variant="primary" icon={LogIn} busy={busy} disabled={name.trim() === ''}>
            Join
          </Button>
        </form>
      </div>
    </main>
  )
}
