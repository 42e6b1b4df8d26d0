import { LogIn } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Logo } from '../ui/logo.tsx'
import { acceptInvitation, invitationProblem } from './auth.ts'

/** Where an invitation link leads. */
export default function AcceptInvitation({ code }: { code: string }) {
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(null)
    try {
      await acceptInvitation(code, name)
    } catch (error) {
      setProblem(invitationProblem(error))
      setBusy(false)
    }
  }

  return (
    <main className="centered">
      <div className="sign-in card">
        <Logo />
        <h1>You are invited to Parley</h1>
        <form className="token-form" onSubmit={submit}>
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
